// SPDX-License-Identifier: GPL-2.0
/*
 * decisions.c - record where the kernel decides about the path of a packet: the policy rule and the routing
 * table, the VRF, the real server of IPVS, the fast path of a flowtable, Open vSwitch, and packet sockets
 * that do not get the packet
 *
 * Some of these functions do not get the skb as an argument. Then the event has the packet number 0, and
 * belongs to the packet or the call of the graph that is open in this context. Readers derive which one that
 * is.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/preempt.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <net/fib_rules.h>
#include <net/flow.h>
#include <net/ip6_fib.h>
#include <net/ip_fib.h>
#include <net/sock.h>
#include <trace/events/fib.h>
#include <trace/events/fib6.h>
#if IS_ENABLED(CONFIG_IP_VS)
#include <net/ip_vs.h>
#else
struct ip_vs_conn;
#endif

#include "active_config.h"
#include "compat/tap_release.h"
#include "decisions.h"
#include "gate_stack.h"
#include "kernel_symbols.h"
#include "netns_table.h"
#include "probe_types.h"
#include "probes.h"
#include "recording.h"
#include "skb_table.h"
#include "task_pause.h"
#include "trace_emit.h"

/*
 * struct site - a function that decides about packets
 * @func: name of the function
 * @module: the kernel module of the function; NULL for the kernel image. If the module is not loaded, the
 *	function is not looked up, because a lookup is expensive
 * @first: name of the structure to which the first argument points
 * @kind: enum record_skb_decision
 * @skb: index of the argument that is the skb; NO_SKB if the function gets no skb
 * @tap: for RECORD_SKB_DECISION_TAP, what a packet socket does when it calls the function
 */
static const struct site {
	const char *func;
	const char *module;
	const char *first;
	u8 kind;
	u8 skb;
	enum { TAP_NONE, TAP_ASKS_ROOM, TAP_COPIES, TAP_RELEASES, TAP_DROPS } tap;
} sites[DECISION_SITES] = {
#define NO_SKB 0xff
/* The name of the module that has the code; NULL if the code is built into the kernel. */
#define MODULE_OF(config, name) (IS_BUILTIN(config) ? NULL : (name))
#define FLOWTABLE		MODULE_OF(CONFIG_NF_FLOW_TABLE, "nf_flow_table")
#define IPVS			MODULE_OF(CONFIG_IP_VS, "ip_vs")
#define OVS			MODULE_OF(CONFIG_OPENVSWITCH, "openvswitch")
#define VRF			MODULE_OF(CONFIG_NET_VRF, "vrf")
	{ "fib4_rule_action", NULL, "fib_rule", RECORD_SKB_DECISION_RULE, NO_SKB },
	{ "fib6_rule_action", NULL, "fib_rule", RECORD_SKB_DECISION_RULE, NO_SKB },
	{ "vrf_l3_rcv", VRF, "net_device", RECORD_SKB_DECISION_VRF, 1 },
	{ "vrf_l3_out", VRF, "net_device", RECORD_SKB_DECISION_VRF, 2 },
	{ "flow_offload_refresh", FLOWTABLE, "nf_flowtable", RECORD_SKB_DECISION_FLOWTABLE,
	  NO_SKB },
	{ "ovs_dp_process_packet", OVS, "sk_buff", RECORD_SKB_DECISION_OVS, 0 },
	{ "ovs_dp_upcall", OVS, "datapath", RECORD_SKB_DECISION_OVS, 1 },
	{ "ovs_ct_execute", OVS, "net", RECORD_SKB_DECISION_OVS, 1 },
	{ "ovs_meter_execute", OVS, "datapath", RECORD_SKB_DECISION_OVS, 1 },
	{ "ovs_vport_send", OVS, "vport", RECORD_SKB_DECISION_OVS, 1 },
	{ "ip_vs_null_xmit", IPVS, "sk_buff", RECORD_SKB_DECISION_IPVS, 0 },
	{ "ip_vs_nat_xmit", IPVS, "sk_buff", RECORD_SKB_DECISION_IPVS, 0 },
	{ "ip_vs_nat_xmit_v6", IPVS, "sk_buff", RECORD_SKB_DECISION_IPVS, 0 },
	{ "ip_vs_tunnel_xmit", IPVS, "sk_buff", RECORD_SKB_DECISION_IPVS, 0 },
	{ "ip_vs_tunnel_xmit_v6", IPVS, "sk_buff", RECORD_SKB_DECISION_IPVS, 0 },
	{ "ip_vs_dr_xmit", IPVS, "sk_buff", RECORD_SKB_DECISION_IPVS, 0 },
	{ "ip_vs_dr_xmit_v6", IPVS, "sk_buff", RECORD_SKB_DECISION_IPVS, 0 },
	{ "__packet_rcv_has_room", MODULE_OF(CONFIG_PACKET, "af_packet"), "packet_sock",
	  RECORD_SKB_DECISION_TAP, 1, TAP_ASKS_ROOM },
	{ "skb_copy_bits", NULL, "sk_buff", RECORD_SKB_DECISION_TAP, 0, TAP_COPIES },
	COMPAT_TAP_SITES,
};

/*
 * Return: true if the module is loaded. The kernel's list of modules is not available to modules. But sysfs
 * has a directory for each of them, next to that of this module. The directories are not looked up by their
 * path, because another file system may be mounted there.
 */
static bool is_loaded(const char *module)
{
	struct kset *modules = THIS_MODULE->mkobj.kobj.kset;
	struct kobject *found = modules ? kset_find_obj(modules, module) : NULL;

	kobject_put(found);
	return found;
}

/**
 * decisions_function() - describe a function that decides about packets
 * @number: number of the function, from 0
 * @point: set to the probe point of the function, without its address
 *
 * Return: name of the function; NULL if the function does not exist in this kernel, or has another first
 * argument.
 */
const char *decisions_function(unsigned int number, struct point *point)
{
	const struct site *site = &sites[number];

	*point = (struct point){
		.kind = POINT_KIND_DECISION,
		.site = number,
		.inside = site->skb == NO_SKB,
		.arg = site->skb == NO_SKB ? 0 : site->skb,
	};
	if (!site->func || (site->module && !is_loaded(site->module)))
		return NULL;
	return prototype_begins(site->module, site->func, site->first) ? site->func : NULL;
}

/**
 * decisions_concern() - check if a decision belongs to a recording
 * @r: the recording
 *
 * If several recordings have an open graph around the decision, it belongs to all of them. Calls that the
 * module itself makes do not count. The caller disables preemption.
 *
 * Return: true if the recording has an open graph in this context.
 */
bool decisions_concern(const struct recording *r)
{
	const struct gate_frame *frame = in_nmi() ? NULL : gate_stack_innermost();
	const struct active_config *a = recording_armed(r);

	return frame && !frame->in_callback && a && gate_stack_current(a->epoch) == FRAME_OPEN;
}

/* Routes */

static void fill_ip(struct sockaddr_in6 *to, u8 family, const void *address, __be16 port)
{
	struct sockaddr_in *sin = (struct sockaddr_in *)to;

	memset(to, 0, sizeof(*to));
	if (family == AF_INET6) {
		to->sin6_family = AF_INET6;
		to->sin6_port = port;
		memcpy(&to->sin6_addr, address, sizeof(to->sin6_addr));
	} else if (family == AF_INET) {
		sin->sin_family = AF_INET;
		sin->sin_port = port;
		memcpy(&sin->sin_addr, address, sizeof(sin->sin_addr));
	}
}

static void emit_route(const struct recording *r, struct decision_record *d,
		       const struct fib_nh_common *nh)
{
	static const struct match none;

	d->kind = RECORD_SKB_DECISION_ROUTE;
	if (nh) {
		d->dev = nh->nhc_dev;
		fill_ip(&d->via, nh->nhc_gw_family, &nh->nhc_gw, 0);
	}
	emit_decision(r, d, &none);
}

/*
 * Begin to handle the lookup of a route. If the lookup may belong to a recording, this function disables
 * preemption, because in newer kernels the callers of tracepoints can be preempted. While a callback of the
 * module runs, the graph is paused: then the lookup is the module's own (match_is_local()). Return: false
 * if the lookup belongs to no recording.
 */
static bool lookup_begins(void)
{
	if (!gate_stack_may_be_inside() || graph_is_paused())
		return false;
	preempt_disable_notrace();
	return true;
}

static void on_fib_lookup(void *data, u32 table, const struct flowi4 *flow,
			  const struct fib_nh_common *nh, int err)
{
	const struct recording *r;
	struct decision_record d __attribute__((__uninitialized__));

	if (!lookup_begins())
		return;
	for_each_recording(r) {
		if (!decisions_concern(r))
			continue;
		d = (struct decision_record){ .table = table, .family = AF_INET, .result = err };
		fill_ip(&d.saddr, AF_INET, &flow->saddr, 0);
		fill_ip(&d.daddr, AF_INET, &flow->daddr, 0);
		emit_route(r, &d, nh);
	}
	preempt_enable_notrace();
}

/*
 * Return: the error that the kernel reports for a route of this type; 0 if it reports none. The kernel's own
 * function for this, ip6_rt_type_to_error(), is not exported.
 */
static int error_of_type(u8 type)
{
	switch (type) {
	case RTN_BLACKHOLE:
		return -EINVAL;
	case RTN_PROHIBIT:
		return -EACCES;
	case RTN_THROW:
		return -EAGAIN;
	case RTN_UNREACHABLE:
		return -EHOSTUNREACH;
	default:
		return 0;
	}
}

static void on_fib6_lookup(void *data, const struct net *net, const struct fib6_result *result,
			   struct fib6_table *table, const struct flowi6 *flow)
{
	const struct recording *r;
	struct decision_record d __attribute__((__uninitialized__));
	bool found;

	if (!lookup_begins())
		return;
	found = result->f6i && result->f6i != net->ipv6.fib6_null_entry;
	for_each_recording(r) {
		if (!decisions_concern(r))
			continue;
		d = (struct decision_record){
			.table = table->tb6_id,
			.family = AF_INET6,
			.result = found ? error_of_type(result->fib6_type) : -EAGAIN,
			.netns = net->ns.inum,
		};
		fill_ip(&d.saddr, AF_INET6, &flow->saddr, 0);
		fill_ip(&d.daddr, AF_INET6, &flow->daddr, 0);
		emit_route(r, &d, found && result->nh ? &result->nh->nh_common : NULL);
	}
	preempt_enable_notrace();
}

static void emit_rule_tried(const struct recording *r, const struct site *site,
			    const struct hit *hit)
{
	const struct fib_rule *rule = (const struct fib_rule *)hit->arg[0];
	struct fib_lookup_arg *arg = (struct fib_lookup_arg *)hit->arg[3];
	struct decision_record d = {
		.kind = RECORD_SKB_DECISION_RULE,
		.func = hit->ip,
		.number = rule->pref,
		.result = rule->action,
		.family = site == &sites[0] ? AF_INET : AF_INET6,
		.netns = rule->fr_net->ns.inum,
	};
	static const struct match none;

	if (rule->action == FR_ACT_TO_TBL)
		d.table = fib_rule_get_table((struct fib_rule *)rule, arg);
	emit_decision(r, &d, &none);
}

/* Other decisions */

#if IS_ENABLED(CONFIG_IP_VS)
static void fill_ipvs(struct decision_record *d, const struct ip_vs_conn *conn)
{
	d->family = conn->af;
	d->number = conn->fwmark;
	d->result = IP_VS_FWD_METHOD(conn);
	d->proto = conn->protocol;
	fill_ip(&d->saddr, conn->af, &conn->caddr, conn->cport);
	fill_ip(&d->daddr, conn->af, &conn->vaddr, conn->vport);
	fill_ip(&d->via, conn->daf, &conn->daddr, conn->dport);
}
#else
static void fill_ipvs(struct decision_record *d, const struct ip_vs_conn *conn) {}
#endif

static void emit_of_skb(const struct recording *r, const struct site *site, const struct hit *hit)
{
	struct decision_record d = { .kind = site->kind, .func = hit->ip };
	struct match m;

	d.skb = (const struct sk_buff *)hit->arg[site->skb];
	if (!skb_table_find(r->track, d.skb, &m))
		return;
	d.netns = m.netns;
	if (site->kind == RECORD_SKB_DECISION_VRF)
		d.dev = (const struct net_device *)hit->arg[0];
	else if (site->kind == RECORD_SKB_DECISION_IPVS)
		fill_ipvs(&d, (const struct ip_vs_conn *)hit->arg[1]);
	emit_decision(r, &d, &m);
}

/*
 * Packet sockets, such as that of tcpdump. The kernel passes a packet to packet_rcv(), or to tpacket_rcv() if
 * the socket has a ring. Both functions release each packet that the socket does not queue. tpacket_rcv()
 * also releases each packet that it has copied into the ring. So the release alone does not show if the
 * socket gets the packet:
 *
 * - packet_rcv() releases a packet as a drop if the socket has no room, and as consumed if the socket's
 *   filter rejects the packet.
 * - tpacket_rcv() asks for room after its filter has accepted the packet, and copies the packet into the ring
 *   if there is room. If the ring is full, the packet is not always released as a drop.
 */

/*
 * struct tap - the packet that a packet socket is getting on this CPU
 * @skb: the packet, NULL if none
 * @dev: its device
 * @sk: the socket
 * @func: packet_rcv() or tpacket_rcv()
 * @has_ring: @func is tpacket_rcv()
 * @stage: the last step of tpacket_rcv() that was seen
 */
struct tap {
	const struct sk_buff *skb;
	const struct net_device *dev;
	const struct sock *sk;
	unsigned long func;
	bool has_ring;
	enum { TAP_STARTED, TAP_ACCEPTED, TAP_COPIED } stage;
};

static DEFINE_PER_CPU(struct tap, tap);
/* Addresses of packet_rcv() and tpacket_rcv(), 0 if unknown. They are the same for every recording. */
static unsigned long tap_functions[2] __read_mostly;

/* Set the addresses of packet_rcv() and tpacket_rcv(), 0 if their module is unloaded. */
void decisions_set_taps(unsigned long packet_rcv, unsigned long tpacket_rcv)
{
	WRITE_ONCE(tap_functions[0], packet_rcv);
	WRITE_ONCE(tap_functions[1], tpacket_rcv);
}

/* Forget the functions of a module that is unloaded, because their addresses may be reused. */
void decisions_forget_module(const struct module *mod)
{
	if (within_module(tap_functions[1], mod))
		decisions_set_taps(0, 0);
}

/**
 * decisions_is_tap() - check if a function shows what packet sockets do
 * @number: number of the function, as for decisions_function()
 */
bool decisions_is_tap(unsigned int number)
{
	return sites[number].tap != TAP_NONE;
}

/* Remember the socket if this is a call of packet_rcv() or tpacket_rcv(). The caller disables preemption. */
void decisions_see_tap(const struct hit *hit)
{
	const struct packet_type *type = (const struct packet_type *)hit->arg[2];

	if (likely(hit->ip != tap_functions[0] && hit->ip != tap_functions[1]))
		return;
	*this_cpu_ptr(&tap) = (struct tap){
		.skb = (const struct sk_buff *)hit->arg[0],
		.dev = (const struct net_device *)hit->arg[1],
		.sk = type->af_packet_priv,
		.func = hit->ip,
		.has_ring = hit->ip == tap_functions[1],
	};
}

/*
 * Return: true if the caller is the function that got the packet: packet_rcv(), or tpacket_rcv() if the
 * socket has a ring. Another function may later release another skb at the same address. By then, the socket
 * may not exist any more.
 */
static bool is_called_by_tap(const struct tap *t, const struct hit *hit)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, hit->parent_ip);
	/* The compiler may move a part of a function to NAME.cold. The module's name may follow the name. */
	name[strcspn(name, ". ")] = '\0';
	return !strcmp(name, t->has_ring ? "tpacket_rcv" : "packet_rcv");
}

/*
 * Return: why the packet socket drops the packet. Full buffers are not the only reason: tpacket_rcv() also
 * drops a packet if it cannot write the virtio header, and packet_rcv() if it cannot copy the packet.
 */
static enum record_skb_tap cause_of_loss(const struct tap *t)
{
	if (t->has_ring)
		return skb_is_gso(t->skb) ? RECORD_SKB_TAP_LOST : RECORD_SKB_TAP_FULL;
	return atomic_read(&t->sk->sk_rmem_alloc) >= READ_ONCE(t->sk->sk_rcvbuf) ?
		       RECORD_SKB_TAP_FULL :
		       RECORD_SKB_TAP_LOST;
}

/*
 * Find out if a packet socket loses the packet that it releases. A packet that the kernel counts as dropped
 * is lost. A socket with a ring may also lose other packets, which the calls of other functions show.
 *
 * If the module could not attach to these functions, it is unknown if the packet is lost. In that case, a
 * socket of another namespace is left out, because such a socket ignores the packet anyway.
 *
 * @drops: the kernel counts the packet as dropped
 * Return: true if the packet is lost, or if this is unknown; @cause tells which of the two
 */
static bool is_lost(const struct active_config *a, const struct tap *t, bool drops,
		    enum record_skb_tap *cause)
{
	if (drops)
		*cause = cause_of_loss(t);
	else if (!t->has_ring)
		return false;
	else if (a->points.lacks_taps && net_eq(dev_net(t->dev), sock_net(t->sk)))
		*cause = RECORD_SKB_TAP_UNKNOWN;
	else if (!a->points.lacks_taps && t->stage == TAP_ACCEPTED)
		*cause = RECORD_SKB_TAP_FULL;
	else
		return false;
	return true;
}

static void emit_loss(const struct recording *r, const struct tap *t, enum record_skb_tap cause,
		      const struct match *m)
{
	struct socket *socket = READ_ONCE(t->sk->sk_socket);
	const struct decision_record d = {
		.kind = RECORD_SKB_DECISION_TAP,
		.func = t->func,
		.skb = t->skb,
		.netns = sock_net(t->sk)->ns.inum,
		.number = socket ? SOCK_INODE(socket)->i_ino : 0,
		.result = cause,
	};

	if (d.number)
		netns_table_add(r->netns, RECORD_SKB_NETNS_SOCKET | d.number, d.number, NULL);
	emit_decision(r, &d, m);
}

/* Report the release of a packet by a packet socket to all recordings of the packet. */
static void tap_releases(const struct tap *t, const struct site *site, const struct hit *hit)
{
	/* The lookup of symbols calls other functions, which must not appear in the packet's graph. */
	const struct graph_hidden hidden = graph_hide();
	const bool drops = compat_tap_drops(hit, site->tap == TAP_DROPS);
	const struct recording *r;
	enum record_skb_tap cause;
	struct match m;

	for_each_recording(r) {
		const struct active_config *a = recording_armed(r);

		if (a && skb_table_find(r->track, t->skb, &m) && is_called_by_tap(t, hit) &&
		    is_lost(a, t, drops, &cause))
			emit_loss(r, t, cause, &m);
	}
	graph_show(&hidden);
}

/*
 * Handle a call of a function that shows what a packet socket does. If several recordings see that the socket
 * releases a packet, the first one reports it for all of them.
 */
static void tap_seen(const struct site *site, const struct hit *hit)
{
	struct tap *t = this_cpu_ptr(&tap);

	if (!t->skb || t->skb != (const struct sk_buff *)hit->arg[site->skb])
		return;
	switch (site->tap) {
	case TAP_ASKS_ROOM:
		t->stage = TAP_ACCEPTED;
		break;
	case TAP_COPIES:
		if (t->stage == TAP_ACCEPTED)
			t->stage = TAP_COPIED;
		break;
	case TAP_RELEASES:
	case TAP_DROPS:
		tap_releases(t, site, hit);
		t->skb = NULL;
		break;
	case TAP_NONE:
		break;
	}
}

/**
 * decisions_seen() - emit an event for a decision about a packet of the recording
 * @r: the recording
 * @point: the function
 * @hit: the call
 *
 * The caller disables preemption.
 */
void decisions_seen(const struct recording *r, const struct point *point, const struct hit *hit)
{
	const struct site *site = &sites[point->site];
	const struct decision_record d = { .kind = site->kind, .func = hit->ip };
	static const struct match none;

	if (site->kind == RECORD_SKB_DECISION_TAP)
		tap_seen(site, hit);
	else if (site->skb != NO_SKB)
		emit_of_skb(r, site, hit);
	else if (!decisions_concern(r))
		return;
	else if (site->kind == RECORD_SKB_DECISION_RULE)
		emit_rule_tried(r, site, hit);
	else
		emit_decision(r, &d, &none);
}

/* The tracepoints of the routing tables; NULL if this kernel does not have them. */
static struct tracepoint *fib_tp, *fib6_tp;

void decisions_init(void)
{
	fib_tp = tracepoint_named("fib_table_lookup");
	fib6_tp = tracepoint_named("fib6_table_lookup");
}

/*
 * Begin to emit events for lookups in routing tables. If the kernel does not have the tracepoints, there are
 * no such events. Return: 0 or a negative error.
 */
int decisions_start(void)
{
	int err = fib_tp ? tracepoint_attach(fib_table_lookup, fib_tp, on_fib_lookup, NULL) : 0;

	if (err)
		return err;
	if (fib6_tp)
		err = tracepoint_attach(fib6_table_lookup, fib6_tp, on_fib6_lookup, NULL);
	if (err && fib_tp) {
		tracepoint_probe_unregister(fib_tp, on_fib_lookup, NULL);
		tracepoint_synchronize_unregister();
	}
	return err;
}

void decisions_stop(void)
{
	if (fib_tp)
		tracepoint_probe_unregister(fib_tp, on_fib_lookup, NULL);
	if (fib6_tp)
		tracepoint_probe_unregister(fib6_tp, on_fib6_lookup, NULL);
	tracepoint_synchronize_unregister();
}
