/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef _RECORD_SKB_KSHARK_HANDOVER_H
#define _RECORD_SKB_KSHARK_HANDOVER_H

/**
 * kshark_handover - make KernelShark load its own plugin for the file that it opens
 *
 * KernelShark searches no directory for plugins. libtraceevent does, and KernelShark uses libtraceevent. So
 * with this function a plain "kernelshark trace.dat" shows packets. Does nothing if KernelShark's plugin is
 * not installed.
 */
void kshark_handover(void);

#endif /* _RECORD_SKB_KSHARK_HANDOVER_H */
