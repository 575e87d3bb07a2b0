/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * record_skb_refused.h - functions that must not be probe points, although their arguments fit
 *
 * The module refuses these functions. trace-cmd record-skb uses the same lists to tell the user the reason.
 */
#ifndef _UAPI_RECORD_SKB_REFUSED_H
#define _UAPI_RECORD_SKB_REFUSED_H

/* clang-format off */
/*
 * At these functions, the struct sk_buff is not a packet yet or no longer a packet: its pointers may refer to
 * freed memory. The first five are functions where the module itself detects the end of a packet.
 */
static const char * const record_skb_no_packets[] = {
	"skb_release_head_state", "napi_skb_free_stolen_head", "__consume_stateless_skb", "napi_reuse_skb",
	"skb_attempt_defer_free",
	"__build_skb_around", "build_skb_around", "__finalize_skb_around",
	"__copy_skb_header", "skb_copy_header", "__skb_clone",
	"skb_release_data", "skb_free_head", "kfree_skbmem", "kfree_skb_partial",
	"__kfree_skb_defer", "napi_skb_cache_put", "napi_consume_skb",
	/* Functions in skb->destructor, which are called while the skb is freed. */
	"sock_wfree", "__sock_wfree", "sock_rfree", "sock_efree", "sock_ofree", "sock_edemux", "sock_pfree",
	"sock_rmem_free", "tcp_wfree", "mptcp_rfree", "sctp_wfree", "sctp_sock_rfree", "unix_wfree",
	"unix_destruct_scm", "netlink_skb_destructor", "tpacket_destruct_skb", "tpacket_get_timestamp",
	"__packet_set_timestamp", "xsk_destruct_skb", "kcm_rfree", "rfcomm_wfree", "__mhi_skb_destructor",
	"deferred_unmap_destructor",
	/* Functions that complete zero-copy transmits; they are called while the skb is freed. */
	"msg_zerocopy_complete", "msg_zerocopy_callback", "sock_zerocopy_callback", "io_tx_ubuf_complete",
	"io_uring_tx_zerocopy_callback", "vhost_zerocopy_complete", "vhost_zerocopy_callback",
	"xenvif_zerocopy_callback", "tpacket_ubuf_complete",
};
/*
 * sk_prot_alloc() calls these functions before the socket is initialised, or sk_prot_free() calls them when
 * the namespace of the socket may already have been freed.
 */
static const char * const record_skb_no_sockets[] = {
	"security_sk_alloc", "apparmor_sk_alloc_security", "bpf_lsm_sk_alloc_security",
	"selinux_sk_alloc_security", "smack_sk_alloc_security",
	"security_sk_free", "apparmor_sk_free_security", "bpf_lsm_sk_free_security",
	"selinux_sk_free_security", "smack_sk_free_security",
	"sk_prot_free", "mem_cgroup_sk_free",
};
/*
 * Prefixes of names. A BPF program (fmod_ret, LSM) can make the kernel skip these functions after the module
 * has redirected the call. Then the task would never leave the gate, because it has not entered the gate.
 */
static const char * const record_skb_skippable[] = { "security_", "bpf_lsm_" };
/* The module itself calls these functions while it reads a packet. */
static const char * const record_skb_own_calls[] = { "ipv6_skip_exthdr", "skb_copy_bits" };
/* clang-format on */

#endif /* _UAPI_RECORD_SKB_REFUSED_H */
