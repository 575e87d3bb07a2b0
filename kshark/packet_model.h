/* SPDX-License-Identifier: LGPL-2.1 */
/* packet_model.h - the rows of the packet list */
#ifndef _RECORD_SKB_KSHARK_PACKET_MODEL_H
#define _RECORD_SKB_KSHARK_PACKET_MODEL_H

#include <vector>

#include <QtWidgets>

#include "packet_lookup.h"
#include "packet_reports.h"

/* The list shows the column VERDICT last, because its text is the longest. */
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
	PATH,
	COLUMNS
};

/* A copy of the data of a packet. The copy is needed, because the next load invalidates struct packet. */
struct Line {
	int stream;
	uint32_t number, flow, length;
	uint8_t direction, tcpFlags;
	bool isTcp, dropped;
	qint64 time, duration, waiting; /* -1 if unknown */
	uint64_t cpus;
	QString addresses, verdict, path;
};

/*
 * PacketModel - the packets that match the filter, sorted by a column
 *
 * Filtering and sorting a long list takes some tenths of a second. Therefore the model filters in slices of
 * a few milliseconds, and the old rows stay visible until the new rows are complete. QSortFilterProxyModel
 * cannot do this, so it is not used.
 */
class PacketModel : public QAbstractTableModel {
public:
	explicit PacketModel(QObject *parent);

	/* Add the packets of a stream. Call this before the model is shown. */
	void addPackets(int stream, const packet_list &packets);
	/* Store reports about packets of a stream. */
	void setReports(int stream, const PacketReport *reports, size_t n);
	void setFilter(const QString &text);

	/* Return: the number of all packets. */
	size_t total() const { return _lines.size(); }
	const Line &line(int row) const { return _lines[_shown[row]]; }
	/* Return: the row of a packet, -1 if the packet is not shown. */
	int rowOf(int stream, uint32_t number) const;

	int rowCount(const QModelIndex &parent = QModelIndex()) const override;
	int columnCount(const QModelIndex &) const override { return COLUMNS; }
	QVariant data(const QModelIndex &index, int role) const override;
	QVariant headerData(int section, Qt::Orientation way, int role) const override;
	void sort(int column, Qt::SortOrder order) override;

private:
	void refresh();
	void filterSlice();
	bool matches(const Line &line) const;
	void sortRows(std::vector<int> *rows) const;
	void showRows(std::vector<int> *rows);

	std::vector<Line> _lines; /* sorted by stream and number */
	std::vector<int> _shown;  /* indexes in _lines, in the order of the rows */
	QString _filter;
	int _sortColumn = NUMBER;
	Qt::SortOrder _order = Qt::AscendingOrder;
	/* The next rows, while they are being filtered. */
	std::vector<int> _next;
	size_t _filtered = 0;
	QTimer _slice, _later;
};

#endif /* _RECORD_SKB_KSHARK_PACKET_MODEL_H */
