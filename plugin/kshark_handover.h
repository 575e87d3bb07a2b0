/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef _RECORD_SKB_KSHARK_HANDOVER_H
#define _RECORD_SKB_KSHARK_HANDOVER_H

/**
 * kshark_handover - make KernelShark load the plugin in kshark/ for the file that KernelShark opens
 *
 * KernelShark does not load plugins from a directory by itself. But KernelShark uses libtraceevent, which
 * loads the plugin in plugin/. So this function makes "kernelshark trace.dat" show packets without further
 * options. It does nothing if the plugin in kshark/ is not installed.
 */
void kshark_handover(void);

#endif /* _RECORD_SKB_KSHARK_HANDOVER_H */
