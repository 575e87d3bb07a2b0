// SPDX-License-Identifier: GPL-2.0
/*
 * wire.c - a test module with two network devices, wire0 and wire1, and a link between them. The test sets
 * its delays.
 *
 * The link carries bytes, so the receiver gets another skb, as with a real cable. All parameters are for
 * packets that wire0 sends:
 *
 * work MS   the driver takes this long to send the next packet
 * stop MS   the driver stops its queue now, and starts it after this time
 * way MS    each packet is on the link for this time
 * lose N    the next N packets with more than 200 bytes are lost on the link and not counted
 * keep 1    packets stay on the link
 * hold MS   the kept packets arrive, at a CPU that has softirqs disabled for this time
 * gather 1  the kept packets arrive, in one poll, in pages of skbs that the driver reuses (napi_gro_frags)
 */
#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/workqueue.h>

#define HEADERS 66 /* Ethernet, IPv4, and TCP with the timestamps option */

static unsigned int work, way, lose, keep;
module_param(work, uint, 0644);
module_param(way, uint, 0644);
module_param(lose, uint, 0644);
module_param(keep, uint, 0644);

static struct net_device *ends[2];
static struct sk_buff_head under_way;
static struct napi_struct gatherer;

struct on_the_wire {
	unsigned long due;
	unsigned int to;
};

static void arrive(struct work_struct *unused);
static DECLARE_DELAYED_WORK(arrival, arrive);

static void hand_over(struct sk_buff *skb, struct net_device *to)
{
	skb->protocol = eth_type_trans(skb, to);
	netif_rx(skb);
}

static void arrive(struct work_struct *unused)
{
	struct sk_buff *skb;

	while ((skb = skb_peek(&under_way))) {
		const struct on_the_wire *wire = (void *)skb->cb;

		if (time_before(jiffies, wire->due)) {
			schedule_delayed_work(&arrival, wire->due - jiffies);
			return;
		}
		skb_unlink(skb, &under_way);
		hand_over(skb, ends[wire->to]);
	}
}

static struct sk_buff *bytes_of(const struct sk_buff *skb, struct net_device *to)
{
	struct sk_buff *arrives = netdev_alloc_skb_ip_align(to, skb->len);

	if (arrives)
		skb_copy_bits(skb, 0, skb_put(arrives, skb->len), skb->len);
	return arrives;
}

static void send(const struct sk_buff *skb, unsigned int from)
{
	struct sk_buff *arrives = bytes_of(skb, ends[!from]);
	struct on_the_wire *wire;

	if (!arrives)
		return;
	if (!from && keep) {
		skb_queue_tail(&under_way, arrives);
		return;
	}
	if (from || !way) {
		hand_over(arrives, ends[!from]);
		return;
	}
	wire = (void *)arrives->cb;
	wire->due = jiffies + msecs_to_jiffies(way);
	wire->to = !from;
	skb_queue_tail(&under_way, arrives);
	schedule_delayed_work(&arrival, msecs_to_jiffies(way));
}

static netdev_tx_t wire_xmit(struct sk_buff *skb, struct net_device *dev)
{
	const unsigned int from = dev == ends[1];

	if (!from && work)
		mdelay(xchg(&work, 0));
	if (!from && lose && skb->len > 200)
		lose--;
	else
		send(skb, from);
	dev_consume_skb_any(skb);
	return NETDEV_TX_OK;
}

/*
 * Fill an skb: copy the headers to its linear part, and the data to a page. GRO does not free an skb of this
 * form, so the driver can use it again.
 */
static bool fill(struct sk_buff *skb, const struct sk_buff *from)
{
	const unsigned int headers = min_t(unsigned int, from->len, HEADERS);
	const unsigned int rest = from->len - headers;
	struct page *page;

	skb_put_data(skb, from->data, headers);
	skb->ip_summed = CHECKSUM_UNNECESSARY;
	if (!rest)
		return true;
	page = dev_alloc_page();
	if (!page)
		return false;
	skb_copy_bits(from, headers, page_address(page), rest);
	skb_add_rx_frag(skb, 0, page, 0, rest, PAGE_SIZE);
	return true;
}

static int gather(struct napi_struct *napi, int budget)
{
	struct sk_buff *from, *skb;
	int done = 0;

	while (done < budget && (from = skb_dequeue(&under_way))) {
		skb = napi_get_frags(napi);
		if (skb && fill(skb, from))
			napi_gro_frags(napi);
		kfree_skb(from);
		done++;
	}
	if (done < budget)
		napi_complete_done(napi, done);
	return done;
}

static int set_gather(const char *text, const struct kernel_param *kp)
{
	keep = 0;
	local_bh_disable();
	napi_schedule(&gatherer);
	local_bh_enable();
	return 0;
}

static const struct kernel_param_ops gather_ops = { .set = set_gather };
module_param_cb(gather, &gather_ops, NULL, 0200);

static const struct net_device_ops wire_ops = { .ndo_start_xmit = wire_xmit };

static void go_on(struct work_struct *unused)
{
	netif_wake_queue(ends[0]);
}

static DECLARE_DELAYED_WORK(going_on, go_on);

static int set_stop(const char *text, const struct kernel_param *kp)
{
	unsigned int ms;
	int err = kstrtouint(text, 0, &ms);

	if (err)
		return err;
	netif_stop_queue(ends[0]);
	schedule_delayed_work(&going_on, msecs_to_jiffies(ms));
	return 0;
}

static const struct kernel_param_ops stop_ops = { .set = set_stop };
module_param_cb(stop, &stop_ops, NULL, 0200);

static int set_hold(const char *text, const struct kernel_param *kp)
{
	struct sk_buff *skb;
	unsigned int ms;
	int err = kstrtouint(text, 0, &ms);

	if (err)
		return err;
	keep = 0;
	local_bh_disable();
	while ((skb = skb_dequeue(&under_way)))
		hand_over(skb, ends[1]);
	mdelay(ms);
	local_bh_enable();
	return 0;
}

static const struct kernel_param_ops hold_ops = { .set = set_hold };
module_param_cb(hold, &hold_ops, NULL, 0200);

static void setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->netdev_ops = &wire_ops;
	eth_hw_addr_random(dev);
}

static void remove(struct net_device *dev)
{
	if (!dev)
		return;
	unregister_netdev(dev);
	free_netdev(dev);
}

static int add(unsigned int end)
{
	struct net_device *dev = alloc_netdev(0, "wire%d", NET_NAME_ENUM, setup);
	int err;

	if (!dev)
		return -ENOMEM;
	err = register_netdev(dev);
	if (err)
		free_netdev(dev);
	else
		ends[end] = dev;
	return err;
}

static int __init wire_init(void)
{
	int err;

	skb_queue_head_init(&under_way);
	err = add(0) ?: add(1);
	if (err) {
		remove(ends[0]);
		return err;
	}
	netif_napi_add(ends[1], &gatherer, gather);
	napi_enable(&gatherer);
	return 0;
}

static void __exit wire_exit(void)
{
	cancel_delayed_work_sync(&going_on);
	napi_disable(&gatherer);
	netif_napi_del(&gatherer);
	remove(ends[0]);
	remove(ends[1]);
	cancel_delayed_work_sync(&arrival);
	skb_queue_purge(&under_way);
}

module_init(wire_init);
module_exit(wire_exit);
MODULE_DESCRIPTION("test: a slow wire");
MODULE_LICENSE("GPL");
