// SPDX-License-Identifier: LGPL-2.1
/*
 * list.cpp - "Packets" in KernelShark's menu "Tools": all packets, and a way to each; and the flows' lanes
 *
 * Needs neither moc nor the headers of KernelShark's windows, which are not installed: the menu is
 * found by its name.
 */
#include <algorithm>
#include <utility>
#include <vector>

#include <QtWidgets>

#include <libkshark.h>
#include <KsPluginsGUI.hpp>

#include "parts.h"

/*
 * KernelShark's, of which there is no header: only what is called. Without it in a later version there are no
 * lanes; the list stays.
 */
class KsTraceGraph {
public:
	void taskReDraw(int stream, QVector<int> pids) __attribute__((weak));
	void addTaskPlot(int stream, int pid) __attribute__((weak));
};

namespace {

struct parts *host;

/* As many plots as KernelShark begins with. */
const size_t maxLanes = 16;

/* The verdict, which is the longest, is shown last. */
enum Column {
	NUMBER,
	TIME,
	FLOW,
	DIRECTION,
	DURATION,
	VERDICT,
	FLAGS,
	LENGTH,
	WAITING,
	CPUS,
	COLUMNS
};

/* What is shown of a packet; the packet itself is gone after the next load. */
struct Line {
	int stream;
	uint32_t number;
	QVariant shown[COLUMNS]; /* also sorted by */
};

QString direction(const packet &p)
{
	switch (p.dir) {
	case 1:
		return "receive";
	case 2:
		return "transmit";
	}
	return QString();
}

/* The letters of trace-cmd report-skb's column FLAGS. */
QString flags(const packet &p)
{
	static const char letters[] = "FSRP.UEW";
	QString text;

	for (int i = 0; p.is_tcp && i < 8; i++) {
		if (p.tcp_flags & 1 << i)
			text += letters[i];
	}
	return text;
}

/* "0 3 63+", the last of which are several. */
QString cpus(const packet &p)
{
	QStringList numbers;

	for (int i = 0; i < 64; i++) {
		if (p.cpus & 1ull << i)
			numbers << (i < 63 ? QString::number(i) : QString("63+"));
	}
	return numbers.join(' ');
}

/* From the words of trace-cmd report-skb --json. */
QString verdict(const QJsonObject &json)
{
	QString text = json["what"].toString();

	if (json.contains("reason"))
		text += ": " + json["reason"].toString();
	if (json.contains("device"))
		text += " out of " + json["device"].toString();
	if (json.contains("function"))
		text += " (" + json["function"].toString() + ")";
	return text;
}

std::vector<Line> allLines()
{
	struct kshark_context *context = nullptr;
	std::vector<Line> lines;

	if (!kshark_instance(&context))
		return lines;
	for (int i = 0; context->stream && i <= context->stream_info.max_stream_id; i++) {
		const struct packets *packets = host->packets(i);

		for (size_t n = 0; packets && n < packets->n; n++) {
			const packet &p = packets->v[n];
			Line line = { i, p.number, {} };

			line.shown[NUMBER] = p.number;
			line.shown[TIME] = qlonglong(p.first->ts);
			/* The number has a column of its own. */
			line.shown[FLOW] = QString(p.text).section(' ', 1);
			line.shown[DIRECTION] = direction(p);
			line.shown[FLAGS] = flags(p);
			line.shown[LENGTH] = p.len;
			line.shown[CPUS] = cpus(p);
			line.shown[DURATION] = qlonglong(p.last->ts - p.first->ts);
			lines.push_back(line);
		}
	}
	return lines;
}

class PacketModel : public QAbstractTableModel {
public:
	explicit PacketModel(QObject *parent)
		: QAbstractTableModel(parent)
		, _lines(allLines())
	{
	}

	int rowCount(const QModelIndex &parent) const override
	{
		return parent.isValid() ? 0 : static_cast<int>(_lines.size());
	}

	int columnCount(const QModelIndex &) const override { return COLUMNS; }

	QVariant data(const QModelIndex &index, int role) const override;

	QVariant headerData(int section, Qt::Orientation way, int role) const override
	{
		static const char *const names[COLUMNS] = {
			"#",	   "Time",  "Flow",   "Direction",    "Duration (µs)",
			"Verdict", "Flags", "Length", "Waiting (µs)", "CPUs",
		};

		if (role != Qt::DisplayRole || way != Qt::Horizontal)
			return QVariant();
		return QString::fromUtf8(names[section]);
	}

	const Line &line(int row) const { return _lines[row]; }

	void setReported(int stream, uint32_t number, const QJsonObject &json);

private:
	std::vector<Line> _lines;
};

QVariant PacketModel::data(const QModelIndex &index, int role) const
{
	const QVariant &value = _lines[index.row()].shown[index.column()];
	bool isNumber = index.column() == NUMBER || index.column() == TIME ||
			index.column() == DURATION || index.column() == LENGTH ||
			index.column() == WAITING;

	if (role == Qt::UserRole)
		return value;
	if (role == Qt::TextAlignmentRole && isNumber)
		return int(Qt::AlignRight | Qt::AlignVCenter);
	if (role != Qt::DisplayRole)
		return QVariant();
	if (index.column() == TIME)
		return QString("%1.%2")
			.arg(value.toLongLong() / 1000000000)
			.arg(value.toLongLong() % 1000000000, 9, 10, QChar('0'));
	if (index.column() == DURATION || (index.column() == WAITING && !value.isNull()))
		return QString::number(value.toLongLong() / 1000., 'f', 3);
	return value;
}

void PacketModel::setReported(int stream, uint32_t number, const QJsonObject &json)
{
	/* As allLines() puts them. */
	auto line = std::lower_bound(_lines.begin(), _lines.end(), std::make_pair(stream, number),
				     [](const Line &l, const std::pair<int, uint32_t> &wanted) {
					     return std::make_pair(l.stream, l.number) < wanted;
				     });
	int row = line - _lines.begin();

	if (line == _lines.end() || line->stream != stream || line->number != number)
		return;
	line->shown[VERDICT] = verdict(json["verdict"].toObject());
	if (json.contains("waiting_ns"))
		line->shown[WAITING] = qlonglong(json["waiting_ns"].toDouble());
	emit dataChanged(index(row, VERDICT), index(row, WAITING));
}

/* What became of each packet, another program knows. Without it the column stays empty. */
void askForVerdicts(PacketModel *model, int stream, const QString &file)
{
	QProcess *report = new QProcess(model);

	QObject::connect(report, &QProcess::readyReadStandardOutput, model, [=]() {
		while (report->canReadLine()) {
			QJsonObject json = QJsonDocument::fromJson(report->readLine()).object();

			if (json["type"].toString() == "packet")
				model->setReported(stream, json["number"].toDouble(), json);
		}
	});
	report->setStandardErrorFile(QProcess::nullDevice());
	report->start("trace-cmd-report-skb", { "--json", "-i", file });
}

void askForVerdicts(PacketModel *model)
{
	struct kshark_context *context = nullptr;

	if (!kshark_instance(&context))
		return;
	for (int i = 0; context->stream && i <= context->stream_info.max_stream_id; i++) {
		if (host->packets(i))
			askForVerdicts(model, i, context->stream[i]->file);
	}
}

template <typename Member> bool isThere(Member member)
{
	return member;
}

/* NULL where nothing draws lanes, or KernelShark has no way to add one. */
KsTraceGraph *traceGraph()
{
	if (!host->gui || !host->is_plotted || !isThere(&KsTraceGraph::taskReDraw) ||
	    !isThere(&KsTraceGraph::addTaskPlot))
		return nullptr;
	for (QWidget *widget : static_cast<QWidget *>(host->gui)->findChildren<QWidget *>()) {
		if (widget->inherits("KsTraceGraph"))
			return reinterpret_cast<KsTraceGraph *>(widget);
	}
	return nullptr;
}

/*
 * KernelShark looks through all rows for those of a task, once, unless that has been done. There are none.
 */
void sayThereAreNoRows(int stream, int pid)
{
	struct kshark_context *context = nullptr;
	struct kshark_entry *none[2] = {};

	if (!kshark_instance(&context) ||
	    kshark_find_data_collection(context->collections, kshark_match_pid, stream, &pid, 1))
		return;
	kshark_register_data_collection(context, none, 2, kshark_match_pid, stream, &pid, 1, 1);
}

/* Unless the user has chosen plots. */
void showLanes(int stream)
{
	uint32_t flows[maxLanes];
	size_t n = host->flows(stream, flows, maxLanes);
	KsTraceGraph *graph = traceGraph();
	QVector<int> pids;

	if (!graph || host->is_plotted(stream, ANY_TASK))
		return;
	for (size_t i = 0; i < n && flow_has_lane(flows[i]); i++) {
		pids.append(lane_pid(flows[i]));
		sayThereAreNoRows(stream, pids.last());
	}
	if (!pids.isEmpty())
		graph->taskReDraw(stream, pids);
}

void addLane(int stream, uint32_t flow)
{
	KsTraceGraph *graph = traceGraph();

	if (!graph || !flow_has_lane(flow) || host->is_plotted(stream, lane_pid(flow)))
		return;
	sayThereAreNoRows(stream, lane_pid(flow));
	graph->addTaskPlot(stream, lane_pid(flow));
}

void jump(const Line &line)
{
	const struct packets *packets = host->packets(line.stream);
	const packet *p = packets ? packets_find(packets, line.number) : nullptr;

	if (!p)
		return;
	addLane(line.stream, p->flow);
	if (host->zoom)
		host->zoom(p->first, p->last);
	/* The marker that is set last is the one that the table scrolls to. */
	markEntryB(host->gui, p->last);
	markEntryA(host->gui, p->first);
}

void showList(QWidget *window)
{
	QDialog *dialog = new QDialog(window);
	PacketModel *model = new PacketModel(dialog);
	QSortFilterProxyModel *sorted = new QSortFilterProxyModel(dialog);
	QLineEdit *search = new QLineEdit(dialog);
	QTableView *view = new QTableView(dialog);
	QVBoxLayout *layout = new QVBoxLayout(dialog);

	dialog->setObjectName("recordSkbPackets");
	dialog->setAttribute(Qt::WA_DeleteOnClose);
	dialog->setWindowTitle(QString("%1 packets").arg(model->rowCount(QModelIndex())));
	dialog->resize(1400, 480);

	sorted->setSourceModel(model);
	sorted->setSortRole(Qt::UserRole);
	sorted->setFilterKeyColumn(-1);
	search->setPlaceholderText("Show only packets with this text");
	search->setClearButtonEnabled(true);
	QObject::connect(search, &QLineEdit::textChanged, sorted,
			 &QSortFilterProxyModel::setFilterFixedString);

	view->setModel(sorted);
	view->setSortingEnabled(true);
	view->sortByColumn(NUMBER, Qt::AscendingOrder);
	view->setSelectionBehavior(QAbstractItemView::SelectRows);
	view->setEditTriggers(QAbstractItemView::NoEditTriggers);
	view->verticalHeader()->hide();
	view->resizeColumnsToContents();
	view->setColumnWidth(DURATION, 120);
	view->horizontalHeader()->moveSection(VERDICT, COLUMNS - 1);
	view->horizontalHeader()->setStretchLastSection(true);
	QObject::connect(view, &QTableView::doubleClicked, dialog, [=](const QModelIndex &index) {
		jump(model->line(sorted->mapToSource(index).row()));
	});

	layout->addWidget(search);
	layout->addWidget(view);
	dialog->show();
	askForVerdicts(model);
}

/* In the thread of the windows, when the window is there. */
void addToMenu()
{
	for (QWidget *widget : QApplication::topLevelWidgets()) {
		QMainWindow *window = widget->inherits("KsMainWindow") ?
					      qobject_cast<QMainWindow *>(widget) :
					      nullptr;

		if (!window)
			continue;
		host->gui = window;
		for (QMenu *menu : window->menuBar()->findChildren<QMenu *>()) {
			if (menu->menuAction()->text() != "Tools")
				continue;
			QObject::connect(menu->addAction("Packets"), &QAction::triggered, window,
					 [=]() { showList(window); });
		}
		return;
	}
}

/* In the middle of drawing; plots are added when that is done. */
void drawn(int stream)
{
	QMetaObject::invokeMethod(
		qApp, [=]() { showLanes(stream); }, Qt::QueuedConnection);
}

} /* namespace */

extern "C" __attribute__((visibility("default"))) void PART_LOADER(struct parts *p)
{
	host = p;
	p->drawn = drawn;
	/* KernelShark opens files in a thread of its own. */
	QMetaObject::invokeMethod(qApp, addToMenu, Qt::QueuedConnection);
}
