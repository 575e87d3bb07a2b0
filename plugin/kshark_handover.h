/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef _RECORD_SKB_KSHARK_HANDOVER_H
#define _RECORD_SKB_KSHARK_HANDOVER_H

/**
 * kshark_handover - have KernelShark load its own plugin for the file it is opening
 *
 * KernelShark looks for plugins in no directory, but libtraceevent does for it: so a plain
 * "kernelshark trace.dat" needs no option. Does nothing if that plugin is not installed.
 */
void kshark_handover(void);

#endif /* _RECORD_SKB_KSHARK_HANDOVER_H */
