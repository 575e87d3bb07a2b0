// SPDX-License-Identifier: LGPL-2.1
/*
 * boxes.cpp - draw a box for each packet into the plots of CPUs, tasks and flows; each flow has its
 * own colour, and drops are red. Requests are bars above the packets of their flow
 */
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <new>
#include <string>
#include <unistd.h>
#include <vector>

#include <KsCmakeDef.hpp>
#include <KsPlugins.hpp>
#include <KsPluginsGUI.hpp>

#include "drop_mark.h"
#include "plugin_api.h"

namespace {

const struct plugin_api *host;

/* Visible time range of the main window. KernelShark passes it with each plot. */
kshark_trace_histo *shownTimes;

/* A plot of a task or flow in the last drawing. */
struct Plot {
	int stream, pid;
	int top; /* upper edge */
};

/* The plots of the last drawing, from top to bottom. */
std::vector<Plot> plotted;

/* A range of bins or pixels. */
struct Range {
	int from, to;
	int width() const { return to - from; }
};

/* The requests of each stream, sorted by flow and then by the time when they began. */
std::map<int, std::vector<request_bar>> allRequests;

/* Smallest width of a box, in pixels and bins, that a user can see. */
const int visible = 4;

/* KernelShark's font. It can be loaded only during drawing. */
const ksplot_font *labelFont()
{
	static ksplot_font font;
	static bool tried;

	if (!tried && !access(TT_FONT_FILE, R_OK))
		ksplot_init_font(&font, 12, TT_FONT_FILE);
	tried = true;
	return ksplot_font_is_loaded(&font) ? &font : nullptr;
}

float textWidth(const ksplot_font *font, const std::string &text)
{
	float width = 0;

	for (char c : text) {
		if (c >= KS_SPACE_CHAR && c <= KS_TILDA_CHAR)
			width += font->cdata[c - KS_SPACE_CHAR].xadvance;
	}
	return width;
}

/*
 * Choose a colour for a flow. The colours differ clearly from each other and are light enough for black
 * text.
 */
KsPlot::Color flowColor(uint32_t flow)
{
	const double bright = 235, saturation = 0.55;
	double hue = fmod(flow * 0.61803398875, 1) * 6;

	if (!flow)
		return KsPlot::Color(200, 200, 200);
	auto part = [=](double n) {
		double k = fmod(n + hue, 6);
		double p = std::max(0., std::min({ k, 4 - k, 1. }));

		return static_cast<uint8_t>(bright * (1 - saturation * p));
	};
	return KsPlot::Color(part(5), part(3), part(1));
}

std::string packetText(int stream, uint32_t number)
{
	char *text = host->text(stream, number);
	std::string copy = text ? text : "";

	free(text);
	return copy;
}

void markPacket(int stream, uint32_t number)
{
	const kshark_entry *first, *last;

	/* Set marker A last, because the table of KernelShark scrolls to the marker that was set last. */
	if (host->gui && host->rows(stream, number, &first, &last)) {
		markEntryB(host->gui, last);
		markEntryA(host->gui, first);
	}
}

class PacketBox : public KsPlot::Rectangle {
public:
	PacketBox(int stream, const packet_span &s, Range pixels, Range height, Range label);

	/*
	 * KernelShark selects the shape with the smallest distance. The deeper a box is nested, the smaller
	 * is its distance. So the innermost box under the mouse is selected.
	 */
	double distance(int x, int y) const override
	{
		if (x < pointX(0) || x > pointX(2) || y < pointY(0) || y > pointY(1))
			return std::numeric_limits<double>::max();
		return 1. / (1 + _level);
	}

private:
	void _draw(const KsPlot::Color &color, float size) const override;
	void _doubleClick() const override { markPacket(_stream, _number); }

	int _stream;
	uint32_t _number;
	unsigned int _level;
	int _textFrom, _textTo;
};

PacketBox::PacketBox(int stream, const packet_span &s, Range pixels, Range height, Range label)
	: _stream(stream)
	, _number(s.number)
	, _level(s.level)
	, _textFrom(label.from)
	, _textTo(label.to)
{
	int inset = 2 * std::min(_level, 3u);
	int top = height.from + inset, bottom = height.to - inset;
	int right = std::max(pixels.to + 1, pixels.from + visible);

	setPoint(0, pixels.from, top);
	setPoint(1, pixels.from, bottom);
	setPoint(2, right, bottom);
	setPoint(3, right, top);
	_color = flowColor(s.flow);
	_size = 1;
}

void PacketBox::_draw(const KsPlot::Color &color, float size) const
{
	const ksplot_color border = {
		static_cast<uint8_t>(color.r() / 2),
		static_cast<uint8_t>(color.g() / 2),
		static_cast<uint8_t>(color.b() / 2),
	};
	const int margin = 3;
	const ksplot_font *font;
	std::string text;

	ksplot_draw_polygon(_points, 4, color.color_c_ptr(), size);
	if (pointX(2) - pointX(0) > 2)
		ksplot_draw_polygon_contour(_points, 4, &border, size);

	font = _textTo - _textFrom > 2 * margin ? labelFont() : nullptr;
	if (!font)
		return;
	text = packetText(_stream, _number);
	/*
	 * Print the whole text if it fits. If it does not, print only the packet number. If that does not
	 * fit, print nothing.
	 */
	if (textWidth(font, text) > _textTo - _textFrom - 2 * margin)
		text = text.substr(0, text.find(' '));
	if (textWidth(font, text) > _textTo - _textFrom - 2 * margin)
		return;
	ksplot_print_text(font, nullptr, _textFrom + margin,
			  (pointY(0) + pointY(1)) / 2 + font->height / 2 - font->base + 1,
			  text.c_str());
}

/*
 * Return: the colour of a request. @part is the name of the longest part of the request, such as
 * "application". Grey means that most of the time is unknown.
 */
KsPlot::Color partColor(const char *part)
{
	static const struct {
		const char *name;
		uint8_t r, g, b;
	} colors[] = {
		{ "client", 86, 180, 233 },	 { "transit", 204, 121, 167 },
		{ "server stack", 0, 158, 115 }, { "receive queue", 230, 159, 0 },
		{ "application", 240, 228, 66 }, { "response", 213, 134, 94 },
		{ "sent again", 120, 94, 240 },	 { "missing bytes", 0, 114, 178 },
		{ "client queue", 140, 86, 75 },
	};

	for (const auto &color : colors) {
		if (!strcmp(part, color.name))
			return KsPlot::Color(color.r, color.g, color.b);
	}
	return KsPlot::Color(200, 200, 200);
}

/*
 * The bar of a request, above the packets of its flow. Its text is the duration and the longest part of the
 * request.
 */
class RequestBar : public KsPlot::Rectangle {
public:
	RequestBar(int stream, const request_bar &bar, Range pixels, Range height)
		: _stream(stream)
		, _bar(bar)
	{
		setPoint(0, pixels.from, height.from);
		setPoint(1, pixels.from, height.to);
		setPoint(2, std::max(pixels.to, pixels.from + visible), height.to);
		setPoint(3, std::max(pixels.to, pixels.from + visible), height.from);
		_color = partColor(bar.part);
		_size = 1;
	}

	double distance(int x, int y) const override
	{
		if (x < pointX(0) || x > pointX(2) || y < pointY(0) || y > pointY(1))
			return std::numeric_limits<double>::max();
		return 1;
	}

private:
	void _draw(const KsPlot::Color &color, float size) const override;
	void _doubleClick() const override { markPacket(_stream, _bar.packet); }

	int _stream;
	request_bar _bar;
};

void RequestBar::_draw(const KsPlot::Color &color, float size) const
{
	const ksplot_color border = { 80, 80, 80 };
	const ksplot_font *font = labelFont();
	const int margin = 3;
	char text[64];

	ksplot_draw_polygon(_points, 4, color.color_c_ptr(), size);
	if (pointX(2) - pointX(0) > 2)
		ksplot_draw_polygon_contour(_points, 4, &border, size);
	snprintf(text, sizeof(text), "%.3g ms%s%s", (_bar.ended - _bar.begun) / 1e6,
		 _bar.part[0] ? ", mostly " : "", _bar.part);
	if (font && textWidth(font, text) <= pointX(2) - pointX(0) - 2 * margin)
		ksplot_print_text(font, nullptr, pointX(0) + margin,
				  (pointY(0) + pointY(1)) / 2 + font->height / 2 - font->base + 1,
				  text);
}

/* Addresses of a flow, printed above its plot. */
class FlowText : public KsPlot::PlotObject {
public:
	FlowText(const std::string &text, int x, int y)
		: _text(text)
		, _x(x)
		, _y(y)
	{
	}

private:
	void _draw(const KsPlot::Color &, float) const override
	{
		const ksplot_font *font = labelFont();

		if (font)
			ksplot_print_text(font, nullptr, _x, _y, _text.c_str());
	}

	std::string _text;
	int _x, _y;
};

/* Compute the visible bins of the packet's span. Return: false if no bin is visible. */
bool visibleBins(kshark_trace_histo *histo, const packet_span &s, Range *bins)
{
	if (histo->n_bins <= 0 || s.first->ts > histo->max || s.last->ts < histo->min)
		return false;
	bins->from = s.first->ts < histo->min ? 0 : ksmodel_get_bin(histo, s.first);
	bins->to = s.last->ts > histo->max ? histo->n_bins - 1 : ksmodel_get_bin(histo, s.last);
	return bins->from >= 0 && bins->to >= bins->from;
}

/* Return: the bins for the text of a box. This is the widest part of the box that no inner box covers. */
Range labelPlace(Range bins, const std::vector<Range> &inner)
{
	Range best = { bins.from, bins.from }, gap = bins;

	for (const Range &i : inner) {
		if (i.to < bins.from || i.from > bins.to)
			continue;
		gap.to = std::max(gap.from, i.from);
		if (gap.width() > best.width())
			best = gap;
		gap.from = std::max(gap.from, std::min(i.to + 1, bins.to));
	}
	gap.to = bins.to;
	return gap.width() > best.width() ? gap : best;
}

Range toPixels(const KsPlot::Graph &graph, Range bins)
{
	return { graph.bin(bins.from)._base.x(), graph.bin(bins.to)._base.x() };
}

bool startsBefore(const request_bar &one, const request_bar &other)
{
	return one.flow != other.flow ? one.flow < other.flow : one.begun < other.begun;
}

/* Return: the requests of a flow. */
std::pair<const request_bar *, const request_bar *> requestsOf(int stream, uint32_t flow)
{
	const std::vector<request_bar> &all = allRequests[stream];
	const request_bar wanted = { .flow = flow };
	const request_bar behind = { .flow = flow + 1 };

	return { std::lower_bound(all.data(), all.data() + all.size(), wanted, startsBefore),
		 std::lower_bound(all.data(), all.data() + all.size(), behind, startsBefore) };
}

bool hasRequests(int stream, const view &view)
{
	if (view.kind != VIEW_FLOW)
		return false;
	const auto requests = requestsOf(stream, view.id);

	return requests.first != requests.second;
}

/* The bars of requests take this share of the height of a plot. */
const double barHeight = 0.34;

/*
 * Return: the vertical range of a box. In the plot of a CPU or task, the boxes are above KernelShark's own
 * task marks, which take 0.3 of the height. In a flow plot, packets of the reverse direction are below the
 * others. If the flow has bars of requests, they are above all packets.
 */
Range boxHeight(const KsPlot::Graph &graph, const view &view, bool back, bool below_bars)
{
	double top = 0.97, bottom = 0.35, share = below_bars ? 1 - barHeight : 1;

	if (view.kind == VIEW_FLOW) {
		top = (back ? 0.48 : 1) * share;
		bottom = (back ? 0.04 : 0.52) * share;
	}
	return { static_cast<int>(graph.base() - graph.height() * top),
		 static_cast<int>(graph.base() - graph.height() * bottom) };
}

struct SpanList {
	packet_span *v;
	size_t n;
};

void drawSpans(KsCppArgV *argv, int stream, const view &view, const SpanList &spans, bool back)
{
	const KsPlot::Graph &graph = *argv->_graph;
	const Range height = boxHeight(graph, view, back, hasRequests(stream, view));
	std::vector<Range> inner, same;
	unsigned int level = 0;
	Range bins;

	for (const packet_span *s = spans.v; s < spans.v + spans.n; s++) {
		if (s->back != back || !visibleBins(argv->_histo, *s, &bins) ||
		    bins.to >= graph.size())
			continue;
		if (s->level != level) {
			inner.clear();
			if (s->level + 1 == level)
				inner.swap(same);
			same.clear();
			level = s->level;
		}
		/* After zooming out, skip a packet if its box would cover the previous box. */
		if (!same.empty() && bins.from < same.back().from + visible &&
		    bins.width() < visible)
			continue;
		same.push_back(bins);
		/*
		 * KernelShark draws the list of shapes from the front to the back. The outer boxes are pushed
		 * last. So they are drawn first, and the inner boxes cover them.
		 */
		argv->_shapes->push_front(new PacketBox(stream, *s, toPixels(graph, bins), height,
							toPixels(graph, labelPlace(bins, inner))));
	}
}

/*
 * Draw the drops on top of the boxes. KernelShark draws the shapes that were pushed last first, so call this
 * function before drawSpans().
 */
void drawDrops(KsCppArgV *argv, int stream, const view &view)
{
	const KsPlot::Graph &graph = *argv->_graph;
	const bool below_bars = hasRequests(stream, view);
	const Range height = { boxHeight(graph, view, false, below_bars).from,
			       boxHeight(graph, view, true, below_bars).to };
	packet_drop *drops;
	size_t n;

	drops = host->drops(stream, &view, &n);
	try {
		for (const packet_drop *d = drops; d < drops + n; d++) {
			int bin = ksmodel_get_bin(argv->_histo, d->entry);

			if (bin >= 0 && bin < graph.size())
				argv->_shapes->push_front(new DropMark(
					{ stream, d->number, markPacket }, graph.bin(bin)._base.x(),
					height.from, height.to));
		}
	} catch (const std::bad_alloc &) {
	}
	free(drops);
}

/* Draw the requests of a flow that are at least partly visible. */
void drawRequests(KsCppArgV *argv, int stream, const view &view)
{
	const KsPlot::Graph &graph = *argv->_graph;
	const Range height = { graph.base() - graph.height(),
			       static_cast<int>(graph.base() - graph.height() * (1 - barHeight)) -
				       1 };
	const auto requests = requestsOf(stream, view.id);
	Range bins, last = { -visible, -visible };

	for (const request_bar *bar = requests.first; bar != requests.second; bar++) {
		if (bar->ended < view.from || bar->begun > view.to)
			continue;
		bins.from = std::max<int64_t>(0, (bar->begun - view.from) / view.bin);
		bins.to = std::min<int64_t>(graph.size() - 1, (bar->ended - view.from) / view.bin);
		/* After zooming out, skip a request if its bar would cover the previous bar. */
		if (bins.from > bins.to ||
		    (bins.from < last.from + visible && bins.width() < visible))
			continue;
		last = bins;
		argv->_shapes->push_front(
			new RequestBar(stream, *bar, toPixels(graph, bins), height));
	}
}

void drawFlowText(KsCppArgV *argv, int stream, int flow)
{
	const KsPlot::Graph &graph = *argv->_graph;
	char *text = host->flow_text(stream, flow);

	argv->_graph->setLabelText("flow " + std::to_string(flow));
	if (text)
		argv->_shapes->push_front(new FlowText(text, graph.bin(0)._base.x(),
						       graph.base() - graph.height() - 4));
	free(text);
}

void drawPlot(KsCppArgV *plot, int stream, const view &view)
{
	SpanList spans = { nullptr, 0 };

	drawDrops(plot, stream, view);
	spans.v = host->spans(stream, &view, &spans.n);
	try {
		if (view.kind == VIEW_FLOW) {
			drawFlowText(plot, stream, view.id);
			drawRequests(plot, stream, view);
			drawSpans(plot, stream, view, spans, true);
		}
		drawSpans(plot, stream, view, spans, false);
	} catch (const std::bad_alloc &) {
	}
	free(spans.v);
}

void drawBoxes(struct kshark_cpp_argv *argv, int stream, int id, int action)
{
	KsCppArgV *plot = KS_ARGV_TO_CPP(argv);
	const kshark_trace_histo *histo = plot->_histo;
	struct view view;

	shownTimes = plot->_histo;
	if (plot->_shapes->empty())
		plotted.clear();
	if (action & KSHARK_TASK_DRAW)
		plotted.push_back({ stream, id, plot->_graph->base() - plot->_graph->height() });
	if (!(action & (KSHARK_CPU_DRAW | KSHARK_TASK_DRAW)) || plot->_graph->size() <= 0)
		return;
	view.kind = action & KSHARK_CPU_DRAW ? VIEW_CPU : id < 0 ? VIEW_FLOW : VIEW_TASK;
	view.id = view.kind == VIEW_FLOW ? flow_plot_flow(id) : id;
	view.from = histo->min;
	view.to = histo->max;
	view.bin = std::max<int64_t>(1, histo->bin_size);
	drawPlot(plot, stream, view);
}

void setRequests(int stream, const struct request_bar *bars, size_t n)
{
	try {
		allRequests[stream].assign(bars, bars + n);
	} catch (const std::bad_alloc &) {
		allRequests[stream].clear();
	}
	std::sort(allRequests[stream].begin(), allRequests[stream].end(), startsBefore);
}

size_t listPlots(int stream, int *pids, size_t max)
{
	size_t n = 0;

	for (const Plot &plot : plotted) {
		if (plot.stream == stream && n < max)
			pids[n++] = plot.pid;
	}
	return n;
}

int plotTop(int stream, int pid)
{
	for (const Plot &plot : plotted) {
		if (plot.stream == stream && plot.pid == pid)
			return plot.top;
	}
	return -1;
}

/*
 * Zoom to a packet, and put it into the centre of the plot. On each side, leave half of the packet's duration
 * free. A bin cannot be shorter than a nanosecond.
 */
void zoomToPacket(const struct kshark_entry *first, const struct kshark_entry *last)
{
	kshark_trace_histo *histo = shownTimes;
	int64_t beside, from, to;

	if (!histo || !histo->data_size || histo->n_bins <= 0)
		return;
	beside = std::max<int64_t>((last->ts - first->ts) / 2, histo->n_bins);
	from = std::max(first->ts - beside, histo->data[0]->ts);
	to = std::min(last->ts + beside, histo->data[histo->data_size - 1]->ts);
	if (to - from < histo->n_bins)
		return;
	ksmodel_set_bining(histo, histo->n_bins, from, to);
	ksmodel_fill(histo, histo->data, histo->data_size);
}

} /* namespace */

extern "C" __attribute__((visibility("default"))) void EXTENSION_INIT(struct plugin_api *p)
{
	host = p;
	p->draw = drawBoxes;
	p->zoom = zoomToPacket;
	p->plots = listPlots;
	p->plot_top = plotTop;
	p->set_requests = setRequests;
}
