// SPDX-License-Identifier: LGPL-2.1
/* packet_reports.cpp - run trace-cmd report-skb in a thread and decode its output */
#include "escape.h"
#include "packet_reports.h"

namespace {

const char program[] = "trace-cmd-report-skb";

/* The GUI thread gets the reports in portions, so that handling a portion takes little time. */
const int portionMs = 100;
const size_t portionPackets = 4096;

/* Escape a text: the file may contain any bytes in the names of functions and devices. */
QString escaped(const QByteArray &bytes)
{
	std::vector<char> text(ESCAPED_LEN(bytes.size()));

	return QString::fromUtf8(escape_text(text.data(), text.size(), bytes.constData()));
}

QString escaped(const QJsonValue &value)
{
	return escaped(value.toString().toUtf8());
}

/* Format the verdict as trace-cmd report-skb does, from its JSON output. */
QString verdictText(const QJsonObject &json)
{
	QString text = escaped(json["what"]);

	if (json.contains("reason"))
		text += ": " + escaped(json["reason"]);
	if (json.contains("device"))
		text += " out of " + escaped(json["device"]);
	if (json.contains("function"))
		text += " (" + escaped(json["function"]) + ")";
	return text;
}

/*
 * Name the packet sockets that did not get the packet, as trace-cmd report-skb does: "; did not get to
 * tcpdump-812: its buffer was full".
 */
QString tapsText(const QJsonArray &decisions)
{
	QString text, socket;

	for (const QJsonValue &value : decisions) {
		const QJsonObject decision = value.toObject();
		const QString result = decision["result"].toString();

		if (decision["kind"].toString() != "packet_socket" ||
		    (result != "full" && result != "lost"))
			continue;
		if (decision.contains("process"))
			socket = QString("%1-%2")
					 .arg(escaped(decision["process"]))
					 .arg(qint64(decision["pid"].toDouble()));
		else if (decision.contains("socket"))
			socket = QString("packet socket %1")
					 .arg(qint64(decision["socket"].toDouble()));
		else
			socket = "a packet socket";
		text += QString("; did not get to %1: %2")
				.arg(socket, result == "full" ? "its buffer was full" :
								"the kernel does not tell why");
	}
	return text;
}

qint64 numberOf(const QJsonObject &json, const char *name)
{
	return json.contains(name) ? qint64(json[name].toDouble()) : -1;
}

/* Read the report about a packet. Return: false if the line is about something else. */
bool readReport(const QByteArray &line, PacketReport *report)
{
	QJsonObject json, verdict;
	qint64 first, last;

	/* Do not decode lines of other types, because there can be many of them. */
	if (!line.startsWith("{\"type\":\"packet\""))
		return false;
	json = QJsonDocument::fromJson(line).object();
	if (json.isEmpty())
		return false;
	verdict = json["verdict"].toObject();
	first = numberOf(json, "time_ns");
	last = numberOf(json, "last_ns");
	report->number = uint32_t(json["number"].toDouble());
	report->dropped = verdict["what"].toString() == "dropped";
	report->verdict = verdictText(verdict) + tapsText(json["decisions"].toArray());
	report->path = escaped(json["path_text"]);
	report->duration = first >= 0 && last >= first ? last - first : -1;
	report->waiting = numberOf(json, "waiting_ns");
	return true;
}

/* Read the report about a request. Return: false if the line is about something else. */
bool readRequest(const QByteArray &line, request_bar *bar)
{
	const QJsonObject json = QJsonDocument::fromJson(line).object();

	if (json["type"].toString() != "request" || !json.contains("begun_ns"))
		return false;
	bar->flow = uint32_t(json["flow_number"].toDouble());
	bar->packet = uint32_t(json["packet"].toDouble());
	bar->begun = numberOf(json, "begun_ns");
	bar->ended = numberOf(json, "ended_ns");
	qstrncpy(bar->part, json["longest_part"].toString().toUtf8().constData(),
		 sizeof(bar->part));
	return true;
}

/* Return: the last line that is not empty. */
QByteArray lastLine(const QByteArray &text)
{
	const QByteArray trimmed = text.trimmed();

	return trimmed.mid(trimmed.lastIndexOf('\n') + 1);
}

} /* namespace */

PacketReports::PacketReports(const QString &file)
	: _thread(QThread::create([=]() {
		run(file);
		runRequests(file);
	}))
{
	_thread->start();
}

PacketReports::~PacketReports()
{
	_cancelled = true;
	_thread->wait();
}

void PacketReports::listen(QObject *receiver, Listener listener)
{
	_listeners.emplace_back(receiver, std::move(listener));
}

void PacketReports::listenForRequests(std::function<void()> listener)
{
	_requestsListener = std::move(listener);
}

void PacketReports::notify(size_t from)
{
	for (const auto &listener : _listeners) {
		if (listener.first)
			listener.second(from);
	}
}

void PacketReports::deliver(std::vector<PacketReport> reports)
{
	const size_t from = _all.size();

	_all.insert(_all.end(), reports.begin(), reports.end());
	notify(from);
}

void PacketReports::finish(const QString &message)
{
	_message = message;
	_complete = true;
	notify(_all.size());
}

/* Run the program and decode its output. This function runs in the thread. */
void PacketReports::run(const QString &file)
{
	std::vector<PacketReport> portion;
	QElapsedTimer since;
	QProcess process;
	PacketReport report;
	QString message;

	/*
	 * If this object has been destroyed before the call runs in the GUI thread, Qt discards the call.
	 */
	auto handOver = [&]() {
		QMetaObject::invokeMethod(
			this, [this, portion]() { deliver(portion); }, Qt::QueuedConnection);
		portion.clear();
		since.restart();
	};

	process.start(program, { "--json", "-i", file });
	if (!process.waitForStarted(-1))
		message = QString("%1 cannot be run: verdicts, durations and drops are not shown")
				  .arg(program);
	since.start();
	while (!_cancelled && process.state() != QProcess::NotRunning) {
		process.waitForReadyRead(portionMs);
		while (!_cancelled && process.canReadLine()) {
			if (readReport(process.readLine(), &report))
				portion.push_back(report);
			if (portion.size() >= portionPackets)
				handOver();
		}
		if (!portion.empty() && since.elapsed() >= portionMs)
			handOver();
	}
	if (_cancelled) {
		process.kill();
		process.waitForFinished(-1);
		return;
	}
	handOver();
	if (message.isEmpty())
		message = escaped(lastLine(process.readAllStandardError()));
	QMetaObject::invokeMethod(
		this, [this, message]() { finish(message); }, Qt::QueuedConnection);
}

/*
 * Run the program again for the requests. They are drawn later than the verdicts, because they need a second
 * pass through the file. This function runs in the thread.
 */
void PacketReports::runRequests(const QString &file)
{
	std::vector<request_bar> requests;
	request_bar bar;
	QProcess process;

	if (_cancelled)
		return;
	process.start(program, { "--requests", "--json", "-i", file });
	while (!_cancelled && process.state() != QProcess::NotRunning) {
		process.waitForReadyRead(portionMs);
		while (!_cancelled && process.canReadLine()) {
			if (readRequest(process.readLine(), &bar))
				requests.push_back(bar);
		}
	}
	if (_cancelled) {
		process.kill();
		process.waitForFinished(-1);
		return;
	}
	QMetaObject::invokeMethod(
		this,
		[this, requests]() {
			_requests = requests;
			if (_requestsListener)
				_requestsListener();
		},
		Qt::QueuedConnection);
}
