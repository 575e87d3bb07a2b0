// SPDX-License-Identifier: LGPL-2.1
/*
 * packet_list_window.cpp - the packet list in KernelShark's menu "Tools", the flow plots, and the reports
 * about packets
 *
 * KernelShark does not install the headers of its windows. So this file finds the menu by its name. The file
 * does not need Qt's moc.
 */
#include <map>
#include <memory>

#include <QtWidgets>

#include <libkshark.h>
#include <libkshark-tepdata.h>
#include <KsPluginsGUI.hpp>

#include "packet_model.h"
#include "plugin_api.h"

/*
 * Declaration of the member functions of KernelShark that are called here, because KernelShark does not
 * install a header for them. The references are weak. If a later version of KernelShark lacks these
 * functions, no flow plots are added, but the list still works.
 */
class KsTraceGraph {
public:
	void taskReDraw(int stream, QVector<int> pids) __attribute__((weak));
};

namespace {

struct plugin_api *host;

/* Maximum number of flow plots that are added at first. KernelShark itself also shows 16 plots at first. */
const size_t maxFlowPlots = 16;

/* Maximum number of plots. A user cannot look through more. */
const size_t maxPlots = 4096;

/*
 * Time between the first drawing and the adding of flow plots, if a session has several streams. In this
 * time, KernelShark adds the plots of the session, such as the plots of flows over several hosts.
 */
const int sessionMs = 1500;

/* The interval at which new drops are drawn while reports arrive. */
const int redrawMs = 500;

/* The reports about the packets of each stream. */
std::map<int, std::unique_ptr<PacketReports>> allReports;

template <typename Member> bool isThere(Member member)
{
	return member;
}

/*
 * Return: KernelShark's graph widget. NULL if no boxes are drawn, or if KernelShark cannot add
 * plots.
 */
KsTraceGraph *traceGraph()
{
	if (!host->gui || !host->plots || !isThere(&KsTraceGraph::taskReDraw))
		return nullptr;
	for (QWidget *widget : static_cast<QWidget *>(host->gui)->findChildren<QWidget *>()) {
		if (widget->inherits("KsTraceGraph"))
			return reinterpret_cast<KsTraceGraph *>(widget);
	}
	return nullptr;
}

/*
 * Register an empty collection for a flow plot. If there is no collection, KernelShark searches all rows for
 * the rows of the plot's task.
 */
void registerEmptyCollection(int stream, int pid)
{
	struct kshark_context *context = nullptr;
	struct kshark_entry *none[2] = {};

	if (!kshark_instance(&context) ||
	    kshark_find_data_collection(context->collections, kshark_match_pid, stream, &pid, 1))
		return;
	kshark_register_data_collection(context, none, 2, kshark_match_pid, stream, &pid, 1, 1);
}

/* Return: the plots of tasks and flows, from top to bottom. */
QVector<int> listPlots(int stream)
{
	QVector<int> pids(maxPlots);

	pids.resize(int(host->plots(stream, pids.data(), maxPlots)));
	return pids;
}

/* Add plots for the first flows, unless the user has already selected plots. */
void showFlowPlots(int stream)
{
	uint32_t flows[maxFlowPlots];
	size_t n = host->flows(stream, flows, maxFlowPlots);
	KsTraceGraph *graph = traceGraph();
	QVector<int> pids;

	if (!graph || !listPlots(stream).isEmpty())
		return;
	for (size_t i = 0; i < n && flow_has_plot(flows[i]); i++) {
		pids.append(flow_plot_pid(flows[i]));
		registerEmptyCollection(stream, pids.last());
	}
	if (!pids.isEmpty())
		graph->taskReDraw(stream, pids);
}

/* If the window cannot show all plots at once, scroll until the plot of @pid is at the top of the window. */
void scrollToPlot(int stream, int pid)
{
	QWidget *graph = reinterpret_cast<QWidget *>(traceGraph());
	QScrollArea *area = graph ? graph->findChild<QScrollArea *>() : nullptr;
	/* The text above the plot of a flow. */
	const int textHeight = 24;
	int top = host->plot_top ? host->plot_top(stream, pid) : -1;

	if (area && top >= 0)
		area->verticalScrollBar()->setValue(top - textHeight);
}

/* Move the plot of a flow above the plots of all other flows and tasks. */
void raiseFlowPlot(int stream, uint32_t flow)
{
	KsTraceGraph *graph = traceGraph();
	const int pid = flow_plot_pid(flow);
	QVector<int> pids;

	if (!graph || !flow_has_plot(flow))
		return;
	pids = listPlots(stream);
	pids.removeAll(pid);
	pids.prepend(pid);
	registerEmptyCollection(stream, pid);
	graph->taskReDraw(stream, pids);
	/* The position of the plot is known only after KernelShark has drawn the plots again. */
	QTimer::singleShot(50, qApp, [=]() { scrollToPlot(stream, pid); });
}

void drawPlotsAgain()
{
	QWidget *graph = reinterpret_cast<QWidget *>(traceGraph());

	for (QWidget *widget : graph ? graph->findChildren<QWidget *>() : QList<QWidget *>()) {
		if (widget->inherits("KsGLWidget"))
			widget->update();
	}
}

/* Draw the drops that are in the reports from the index @from on. */
void showDrops(int stream, size_t from)
{
	static QTimer *redraw;
	bool any = false;

	if (!redraw) {
		redraw = new QTimer(qApp);
		redraw->setSingleShot(true);
		QObject::connect(redraw, &QTimer::timeout, qApp, drawPlotsAgain);
	}
	for (size_t i = from; i < allReports[stream]->all().size(); i++) {
		const PacketReport &report = allReports[stream]->all()[i];

		if (report.dropped)
			host->set_dropped(stream, report.number);
		any |= report.dropped;
	}
	if (any && !redraw->isActive())
		redraw->start(redrawMs);
}

/* Draw the requests of a stream as bars. */
void showRequests(int stream)
{
	const std::vector<request_bar> &requests = allReports[stream]->requests();

	if (!host->set_requests)
		return;
	host->set_requests(stream, requests.data(), requests.size());
	if (!requests.empty())
		drawPlotsAgain();
}

/*
 * Run trace-cmd report-skb for a stream that has been loaded. Its reports show which packets were dropped.
 * The record_skb:drop events alone do not show this, because only a copy of the packet may have been dropped.
 */
void readReports(int stream)
{
	struct kshark_context *context = nullptr;

	if (!kshark_instance(&context) || !host->packets(stream) ||
	    !kshark_tep_is_top_stream(context->stream[stream]))
		return;
	/* If a list is open, it shows packets of the previous load. Close it. */
	for (QDialog *list :
	     static_cast<QWidget *>(host->gui)->findChildren<QDialog *>("recordSkbPackets"))
		delete list;
	allReports[stream] = std::make_unique<PacketReports>(context->stream[stream]->file);
	allReports[stream]->listen(qApp, [=](size_t from) { showDrops(stream, from); });
	allReports[stream]->listenForRequests([=]() { showRequests(stream); });
}

void jumpToPacket(const Line &line)
{
	const kshark_entry *first, *last;

	if (!host->rows(line.stream, line.number, &first, &last))
		return;
	raiseFlowPlot(line.stream, line.flow);
	if (host->zoom)
		host->zoom(first, last);
	/* Set marker A last, because the table of KernelShark scrolls to the marker that was set last. */
	markEntryB(host->gui, last);
	markEntryA(host->gui, first);
}

/* The packet list. */
class PacketList : public QDialog {
public:
	explicit PacketList(QWidget *window);

	bool eventFilter(QObject *object, QEvent *event) override;

private:
	void addStreams();
	void showState();
	void jumpToCurrent();
	bool handleKey(QObject *object, QKeyEvent *key);

	PacketModel *_model;
	QLineEdit *_search;
	QTableView *_view;
	QLabel *_state;
	int _currentStream = -1;
	uint32_t _currentNumber = 0;
};

PacketList::PacketList(QWidget *window)
	: QDialog(window)
	, _model(new PacketModel(this))
	, _search(new QLineEdit(this))
	, _view(new QTableView(this))
	, _state(new QLabel(this))
{
	QVBoxLayout *layout = new QVBoxLayout(this);

	setObjectName("recordSkbPackets");
	setAttribute(Qt::WA_DeleteOnClose);
	resize(1400, 480);
	addStreams();

	_search->setPlaceholderText(
		"Type to show only packets with this text, such as an address, a port or \"dropped\"");
	_search->setClearButtonEnabled(true);
	_search->installEventFilter(this);
	connect(_search, &QLineEdit::textChanged, this,
		[this](const QString &text) { _model->setFilter(text); });

	_view->setModel(_model);
	_view->horizontalHeader()->setSortIndicator(NUMBER, Qt::AscendingOrder);
	_view->setSortingEnabled(true);
	_view->setSelectionBehavior(QAbstractItemView::SelectRows);
	_view->setSelectionMode(QAbstractItemView::SingleSelection);
	_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
	_view->setTabKeyNavigation(false);
	_view->verticalHeader()->hide();
	_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
	_view->horizontalHeader()->setResizeContentsPrecision(100);
	_view->resizeColumnsToContents();
	_view->setColumnWidth(DURATION, 120);
	_view->setColumnWidth(PATH, 240);
	_view->horizontalHeader()->moveSection(VERDICT, COLUMNS - 1);
	_view->horizontalHeader()->setStretchLastSection(true);
	_view->installEventFilter(this);
	connect(_view, &QTableView::doubleClicked, this,
		[this](const QModelIndex &index) { jumpToPacket(_model->line(index.row())); });

	/* Keep the current packet selected when the filter changes the rows. */
	connect(_model, &QAbstractItemModel::modelAboutToBeReset, this, [this]() {
		const QModelIndex current = _view->currentIndex();

		if (!current.isValid())
			return;
		_currentStream = _model->line(current.row()).stream;
		_currentNumber = _model->line(current.row()).number;
	});
	connect(_model, &QAbstractItemModel::modelReset, this, [this]() {
		const int row = _model->rowOf(_currentStream, _currentNumber);

		if (row >= 0)
			_view->setCurrentIndex(_model->index(row, NUMBER));
		showState();
	});

	_state->setTextFormat(Qt::PlainText);
	layout->addWidget(_search);
	layout->addWidget(_view);
	layout->addWidget(_state);
	showState();
	_view->setFocus();
}

void PacketList::addStreams()
{
	struct kshark_context *context = nullptr;

	if (!kshark_instance(&context))
		return;
	for (int i = 0; context->stream && i <= context->stream_info.max_stream_id; i++) {
		const struct packet_list *packets = host->packets(i);
		auto reports = allReports.find(i);

		if (!packets)
			continue;
		_model->addPackets(i, *packets);
		if (reports == allReports.end())
			continue;
		_model->setReports(i, reports->second->all().data(), reports->second->all().size());
		reports->second->listen(this, [this, i](size_t from) {
			const std::vector<PacketReport> &all = allReports[i]->all();

			_model->setReports(i, all.data() + from, all.size() - from);
			showState();
		});
	}
}

/* Show how many packets the list has, and how far the reports have been read. */
void PacketList::showState()
{
	QStringList states;
	size_t reported = 0;
	bool complete = true;

	for (const auto &reports : allReports) {
		reported += reports.second->all().size();
		complete &= reports.second->isComplete();
		if (!reports.second->message().isEmpty())
			states << reports.second->message();
	}
	if (!complete)
		states.prepend(QString("Reading verdicts and durations: %1 of %2 packets")
				       .arg(reported)
				       .arg(_model->total()));
	setWindowTitle(QString("%1 of %2 packets").arg(_model->rowCount()).arg(_model->total()));
	_state->setText(states.join(" · "));
	_state->setVisible(!states.isEmpty());
}

void PacketList::jumpToCurrent()
{
	const QModelIndex current = _view->currentIndex();

	if (current.isValid())
		jumpToPacket(_model->line(current.row()));
}

/*
 * Send typed text to the filter, no matter which part of the window has the focus. Return: true if the key
 * was used.
 */
bool PacketList::handleKey(QObject *object, QKeyEvent *key)
{
	const bool isText =
		!key->text().isEmpty() && key->text()[0].isPrint() &&
		!(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));

	switch (key->key()) {
	case Qt::Key_Return:
	case Qt::Key_Enter:
		jumpToCurrent();
		return true;
	case Qt::Key_Escape:
		if (_search->text().isEmpty())
			return false;
		_search->clear();
		return true;
	case Qt::Key_Down:
		if (object != _search)
			return false;
		_view->setFocus();
		if (!_view->currentIndex().isValid())
			_view->setCurrentIndex(_model->index(0, NUMBER));
		return true;
	}
	if (object == _search || !(isText || key->key() == Qt::Key_Backspace))
		return false;
	_search->setFocus();
	QCoreApplication::sendEvent(_search, key);
	return true;
}

bool PacketList::eventFilter(QObject *object, QEvent *event)
{
	return (event->type() == QEvent::KeyPress &&
		handleKey(object, static_cast<QKeyEvent *>(event))) ||
	       QDialog::eventFilter(object, event);
}

void showList(QWidget *window)
{
	(new PacketList(window))->show();
}

/* This function runs in the GUI thread after the main window has been created. */
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

bool hasSeveralStreams()
{
	struct kshark_context *context = nullptr;

	return kshark_instance(&context) && context->n_streams > 1;
}

/*
 * Add flow plots and read the reports after the first drawing of a stream. KernelShark calls this function
 * while it draws. Plots can be added only after the drawing, so the work is done later.
 */
void handleFirstDraw(int stream)
{
	QMetaObject::invokeMethod(
		qApp,
		[=]() {
			QTimer::singleShot(hasSeveralStreams() ? sessionMs : 0, qApp,
					   [=]() { showFlowPlots(stream); });
			readReports(stream);
		},
		Qt::QueuedConnection);
}

} /* namespace */

extern "C" __attribute__((visibility("default"))) void EXTENSION_INIT(struct plugin_api *p)
{
	host = p;
	p->drawn = handleFirstDraw;
	QObject::connect(qApp, &QCoreApplication::aboutToQuit, qApp, []() { allReports.clear(); });
	/* KernelShark opens files in another thread, so run addToMenu() in the GUI thread. */
	QMetaObject::invokeMethod(qApp, addToMenu, Qt::QueuedConnection);
}
