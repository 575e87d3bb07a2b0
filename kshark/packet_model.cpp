// SPDX-License-Identifier: LGPL-2.1
/* packet_model.cpp - the rows of the packet list: texts, filter and order */
#include <algorithm>
#include <numeric>
#include <utility>

#include <libkshark.h>

#include "packet_model.h"

namespace {

/* Maximum time, in ms, for which filtering may block the events of the window. */
const int sliceMs = 8;
/* While reports arrive, filter and sort again at this interval. */
const int refreshMs = 500;

QString directionText(const Line &line)
{
	switch (line.direction) {
	case 1:
		return "receive";
	case 2:
		return "transmit";
	}
	return QString();
}

/* The letters of the column FLAGS in trace-cmd report-skb. */
QString flagsText(const Line &line)
{
	static const char letters[] = "FSRP.UEW";
	QString text;

	for (int i = 0; line.isTcp && i < 8; i++) {
		if (line.tcpFlags & 1 << i)
			text += letters[i];
	}
	return text;
}

/* Format the CPUs of a packet, for instance "0 3 63+". "63+" stands for CPU 63 and all higher CPUs. */
QString cpusText(const Line &line)
{
	QStringList numbers;

	for (int i = 0; i < 64; i++) {
		if (line.cpus & 1ull << i)
			numbers << (i < 63 ? QString::number(i) : QString("63+"));
	}
	return numbers.join(' ');
}

QString timeText(qint64 time)
{
	return QString("%1.%2").arg(time / 1000000000).arg(time % 1000000000, 9, 10, QChar('0'));
}

QString microseconds(qint64 time)
{
	return time < 0 ? QString() : QString::number(time / 1000., 'f', 3);
}

QString cellText(const Line &line, int column)
{
	switch (column) {
	case NUMBER:
		return QString::number(line.number);
	case TIME:
		return timeText(line.time);
	case FLOW:
		return line.addresses;
	case DIRECTION:
		return directionText(line);
	case DURATION:
		return microseconds(line.duration);
	case VERDICT:
		return line.verdict;
	case FLAGS:
		return flagsText(line);
	case LENGTH:
		return QString::number(line.length);
	case WAITING:
		return microseconds(line.waiting);
	case CPUS:
		return cpusText(line);
	case PATH:
		return line.path;
	}
	return QString();
}

/* Return: the number by which the column is sorted; -1 if the column is sorted by its text. */
qint64 sortNumber(const Line &line, int column)
{
	switch (column) {
	case NUMBER:
		return line.number;
	case TIME:
		return line.time;
	case DURATION:
		return line.duration;
	case LENGTH:
		return line.length;
	case WAITING:
		return line.waiting;
	}
	return -1;
}

bool isNumber(int column)
{
	return column == NUMBER || column == TIME || column == DURATION || column == LENGTH ||
	       column == WAITING;
}

} /* namespace */

PacketModel::PacketModel(QObject *parent)
	: QAbstractTableModel(parent)
{
	_later.setSingleShot(true);
	connect(&_slice, &QTimer::timeout, this, [this]() { filterSlice(); });
	connect(&_later, &QTimer::timeout, this, [this]() { refresh(); });
}

void PacketModel::addPackets(int stream, const packet_list &packets)
{
	for (const packet *p = packets.v; p < packets.v + packets.n; p++) {
		Line line = {};

		line.stream = stream;
		line.number = p->number;
		line.flow = p->flow;
		line.length = p->len;
		line.direction = p->dir;
		line.tcpFlags = p->tcp_flags;
		line.isTcp = p->is_tcp;
		line.time = p->first->ts;
		line.duration = line.waiting = -1;
		line.cpus = p->cpus;
		/* The number has its own column, so remove it from the text. */
		line.addresses = QString(p->text).section(' ', 1);
		_lines.push_back(line);
	}
	_shown.resize(_lines.size());
	std::iota(_shown.begin(), _shown.end(), 0);
}

int PacketModel::rowCount(const QModelIndex &parent) const
{
	return parent.isValid() ? 0 : int(_shown.size());
}

QVariant PacketModel::data(const QModelIndex &index, int role) const
{
	const Line &row = line(index.row());

	if (role == Qt::DisplayRole)
		return cellText(row, index.column());
	if (role == Qt::TextAlignmentRole && isNumber(index.column()))
		return int(Qt::AlignRight | Qt::AlignVCenter);
	if (role == Qt::ForegroundRole && row.dropped)
		return QColor(208, 0, 0);
	return QVariant();
}

QVariant PacketModel::headerData(int section, Qt::Orientation way, int role) const
{
	static const char *const names[COLUMNS][2] = {
		{ "#", "Number of the packet" },
		{ "Time", "Time of the first event" },
		{ "Flow", "Addresses at the first event" },
		{ "Direction", "Direction at the first event" },
		{ "Duration (µs)",
		  "Time from the first to the last event or function of the packet" },
		{ "Verdict",
		  "How the packet ended, the function that decided it, and the packet sockets that did not get it" },
		{ "Flags",
		  "TCP flags at the first event: FIN, SYN, RST, PSH, ACK (.), URG, ECE, CWR (W)" },
		{ "Length", "Bytes from the start of the network header" },
		{ "Waiting (µs)", "Time in which no recorded function processed the packet" },
		{ "CPUs", "CPUs with events of the packet" },
		{ "Path",
		  "Devices that the packet passed, with the names of their network namespaces" },
	};

	if (way != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
		return QVariant();
	return QString::fromUtf8(names[section][role == Qt::ToolTipRole]);
}

int PacketModel::rowOf(int stream, uint32_t number) const
{
	auto row = std::find_if(_shown.begin(), _shown.end(), [=](int i) {
		return _lines[i].stream == stream && _lines[i].number == number;
	});

	return row == _shown.end() ? -1 : int(row - _shown.begin());
}

void PacketModel::setReports(int stream, const PacketReport *reports, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const PacketReport &report = reports[i];
		auto line = std::lower_bound(
			_lines.begin(), _lines.end(), std::make_pair(stream, report.number),
			[](const Line &l, const std::pair<int, uint32_t> &wanted) {
				return std::make_pair(l.stream, l.number) < wanted;
			});

		if (line == _lines.end() || line->stream != stream || line->number != report.number)
			continue;
		line->verdict = report.verdict;
		line->path = report.path;
		line->dropped = report.dropped;
		line->duration = report.duration;
		line->waiting = report.waiting;
	}
	/* Report that all rows have changed. The view draws only the visible cells again. */
	if (!_shown.empty())
		emit dataChanged(index(0, 0), index(rowCount() - 1, COLUMNS - 1));
	if ((!_filter.isEmpty() || _sortColumn == DURATION || _sortColumn == VERDICT ||
	     _sortColumn == WAITING || _sortColumn == PATH) &&
	    !_later.isActive())
		_later.start(refreshMs);
}

void PacketModel::setFilter(const QString &text)
{
	_filter = text;
	refresh();
}

void PacketModel::sort(int column, Qt::SortOrder order)
{
	/* If no column is sorted, the header of the view passes -1. */
	_sortColumn = column < 0 ? NUMBER : column;
	_order = order;
	refresh();
}

bool PacketModel::matches(const Line &line) const
{
	for (int column = 0; column < COLUMNS; column++) {
		if (cellText(line, column).contains(_filter, Qt::CaseInsensitive))
			return true;
	}
	return false;
}

/* Begin a new search for the rows to show. filterSlice() does the work in slices. */
void PacketModel::refresh()
{
	_later.stop();
	_next.clear();
	_filtered = 0;
	_slice.start(0);
}

void PacketModel::filterSlice()
{
	QElapsedTimer timer;

	timer.start();
	for (; _filtered < _lines.size(); _filtered++) {
		if (_filtered % 64 == 0 && timer.elapsed() >= sliceMs)
			return;
		if (_filter.isEmpty() || matches(_lines[_filtered]))
			_next.push_back(int(_filtered));
	}
	_slice.stop();
	sortRows(&_next);
	showRows(&_next);
}

void PacketModel::sortRows(std::vector<int> *rows) const
{
	/*
	 * Each key has a number and a text. Numeric columns are sorted by the number, and the others by the
	 * text.
	 */
	std::vector<std::pair<std::pair<qint64, QString>, int>> keys;

	keys.reserve(rows->size());
	for (int row : *rows) {
		const Line &line = _lines[row];

		if (isNumber(_sortColumn))
			keys.push_back({ { sortNumber(line, _sortColumn), QString() }, row });
		else
			keys.push_back({ { 0, cellText(line, _sortColumn) }, row });
	}
	/* Rows with equal keys keep their order. */
	std::stable_sort(keys.begin(), keys.end(), [this](const auto &a, const auto &b) {
		return _order == Qt::AscendingOrder ? a.first < b.first : b.first < a.first;
	});
	for (size_t i = 0; i < keys.size(); i++)
		(*rows)[i] = keys[i].second;
}

void PacketModel::showRows(std::vector<int> *rows)
{
	if (*rows == _shown)
		return;
	beginResetModel();
	_shown.swap(*rows);
	endResetModel();
}
