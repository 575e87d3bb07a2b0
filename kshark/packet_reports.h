/* SPDX-License-Identifier: LGPL-2.1 */
/* packet_reports.h - the output of trace-cmd report-skb for the packets of a file, read in the background */
#ifndef _RECORD_SKB_KSHARK_PACKET_REPORTS_H
#define _RECORD_SKB_KSHARK_PACKET_REPORTS_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <QtCore>

#include "packet_lookup.h"

/* The report about one packet. Times are in nanoseconds; -1 is an unknown time. */
struct PacketReport {
	uint32_t number;
	bool dropped;
	QString verdict, path;
	qint64 duration, waiting;
};

/*
 * PacketReports - run trace-cmd report-skb for a file and collect its output
 *
 * A thread runs the program and decodes the output, because the output of a large file takes seconds. The
 * functions below are called in the GUI thread, and so are the listeners.
 */
class PacketReports : public QObject {
public:
	/*
	 * Called with the index @from of the first new report in all(). All reports from there to the end
	 * are new.
	 */
	using Listener = std::function<void(size_t from)>;

	explicit PacketReports(const QString &file);
	~PacketReports() override;

	const std::vector<PacketReport> &all() const { return _all; }
	bool isComplete() const { return _complete; }
	/* Return: all requests; empty until @listener of listenForRequests() was called. */
	const std::vector<request_bar> &requests() const { return _requests; }
	/* Return: the last message of the program, escaped; empty without one. */
	const QString &message() const { return _message; }
	/* Call @listener for new reports and when the reports are complete, as long as @receiver exists. */
	void listen(QObject *receiver, Listener listener);
	/* Call @listener once, when the requests are known. */
	void listenForRequests(std::function<void()> listener);

private:
	void run(const QString &file);
	void runRequests(const QString &file);
	void deliver(std::vector<PacketReport> reports);
	void finish(const QString &message);
	void notify(size_t from);

	std::vector<PacketReport> _all;
	std::vector<std::pair<QPointer<QObject>, Listener>> _listeners;
	std::vector<request_bar> _requests;
	std::function<void()> _requestsListener;
	QString _message;
	bool _complete = false;
	std::atomic<bool> _cancelled{ false };
	std::unique_ptr<QThread> _thread;
};

#endif /* _RECORD_SKB_KSHARK_PACKET_REPORTS_H */
