// SPDX-License-Identifier: LGPL-2.1
/*
 * boxes.cpp - each packet as a box in the plots of CPUs, tasks and flows, a colour for each flow
 */
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <set>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <KsCmakeDef.hpp>
#include <KsPlugins.hpp>
#include <KsPluginsGUI.hpp>

#include "parts.h"

namespace {

const struct parts *host;

/* Of the one window; KernelShark gives it with each plot that it draws. */
kshark_trace_histo *shownTimes;

/* Streams and pids of what was drawn last. */
std::set<std::pair<int, int>> plotted;

/* From bin to bin. */
struct Span {
	int from, to;
	int width() const { return to - from; }
};

/* Pixels, and bins: what is narrower cannot be seen. */
const int visible = 4;

/* KernelShark's own; it can only be loaded while something is drawn. */
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

/* Colours that are far from each other, all light enough to read black text on. */
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

std::string textOf(int stream, uint32_t number)
{
	char *text = host->text(stream, number);
	std::string copy = text ? text : "";

	free(text);
	return copy;
}

class PacketBox : public KsPlot::Rectangle {
public:
	PacketBox(int stream, const stay &s, Span pixels, Span height, Span label);

	/* The innermost of those that are under the mouse is the nearest. */
	double distance(int x, int y) const override
	{
		if (x < pointX(0) || x > pointX(2) || y < pointY(0) || y > pointY(1))
			return std::numeric_limits<double>::max();
		return 1. / (1 + _level);
	}

private:
	void _draw(const KsPlot::Color &color, float size) const override;
	void _doubleClick() const override;

	int _stream;
	uint32_t _number;
	unsigned int _level;
	int _textFrom, _textTo;
};

PacketBox::PacketBox(int stream, const stay &s, Span pixels, Span height, Span label)
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
	text = textOf(_stream, _number);
	/* All of it, or the number, or nothing. */
	if (textWidth(font, text) > _textTo - _textFrom - 2 * margin)
		text = text.substr(0, text.find(' '));
	if (textWidth(font, text) > _textTo - _textFrom - 2 * margin)
		return;
	ksplot_print_text(font, nullptr, _textFrom + margin,
			  (pointY(0) + pointY(1)) / 2 + font->height / 2 - font->base + 1,
			  text.c_str());
}

void PacketBox::_doubleClick() const
{
	const kshark_entry *first, *last;

	/* The marker that is set last is the one that the table scrolls to. */
	if (host->gui && host->rows(_stream, _number, &first, &last)) {
		markEntryB(host->gui, last);
		markEntryA(host->gui, first);
	}
}

/* Who talks to whom, above its lane. */
class LaneText : public KsPlot::PlotObject {
public:
	LaneText(const std::string &text, int x, int y)
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

/* The part of the stay that can be seen; false if there is none. */
bool visibleBins(kshark_trace_histo *histo, const stay &s, Span *bins)
{
	if (histo->n_bins <= 0 || s.first->ts > histo->max || s.last->ts < histo->min)
		return false;
	bins->from = s.first->ts < histo->min ? 0 : ksmodel_get_bin(histo, s.first);
	bins->to = s.last->ts > histo->max ? histo->n_bins - 1 : ksmodel_get_bin(histo, s.last);
	return bins->from >= 0 && bins->to >= bins->from;
}

/* Where the text goes: the widest part of a box that no inner box covers. */
Span labelPlace(Span bins, const std::vector<Span> &inner)
{
	Span best = { bins.from, bins.from }, gap = bins;

	for (const Span &i : inner) {
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

Span pixels(const KsPlot::Graph &graph, Span bins)
{
	return { graph.bin(bins.from)._base.x(), graph.bin(bins.to)._base.x() };
}

/* Above what KernelShark draws for tasks, which is 0.3 high. In a lane, those that go back are below the others. */
Span boxHeight(const KsPlot::Graph &graph, const view &view, bool back)
{
	double top = 0.97, bottom = 0.35;

	if (view.of == VIEW_FLOW) {
		top = back ? 0.48 : 1;
		bottom = back ? 0.04 : 0.52;
	}
	return { static_cast<int>(graph.base() - graph.height() * top),
		 static_cast<int>(graph.base() - graph.height() * bottom) };
}

struct Stays {
	stay *v;
	size_t n;
};

void drawStays(KsCppArgV *argv, int stream, const view &view, const Stays &stays, bool back)
{
	const KsPlot::Graph &graph = *argv->_graph;
	const Span height = boxHeight(graph, view, back);
	std::vector<Span> inner, same;
	unsigned int level = 0;
	Span bins;

	for (const stay *s = stays.v; s < stays.v + stays.n; s++) {
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
		/* Zoomed far out, many are within one bin, or too narrow to be seen beside each other. */
		if (!same.empty() && bins.from < same.back().from + visible &&
		    bins.width() < visible)
			continue;
		same.push_back(bins);
		/* What is in front in this list is drawn first: the outer ones, which come last. */
		argv->_shapes->push_front(new PacketBox(stream, *s, pixels(graph, bins), height,
							pixels(graph, labelPlace(bins, inner))));
	}
}

void drawLaneText(KsCppArgV *argv, int stream, int flow)
{
	const KsPlot::Graph &graph = *argv->_graph;
	char *text = host->flow_text(stream, flow);

	argv->_graph->setLabelText("flow " + std::to_string(flow));
	if (text)
		argv->_shapes->push_front(new LaneText(text, graph.bin(0)._base.x(),
						       graph.base() - graph.height() - 4));
	free(text);
}

void drawPlot(KsCppArgV *plot, int stream, const view &view)
{
	Stays stays = { nullptr, 0 };

	stays.v = host->stays(stream, &view, &stays.n);
	try {
		if (view.of == VIEW_FLOW) {
			drawLaneText(plot, stream, view.id);
			drawStays(plot, stream, view, stays, true);
		}
		drawStays(plot, stream, view, stays, false);
	} catch (const std::bad_alloc &) {
	}
	free(stays.v);
}

void draw(struct kshark_cpp_argv *argv, int stream, int id, int action)
{
	KsCppArgV *plot = KS_ARGV_TO_CPP(argv);
	const kshark_trace_histo *histo = plot->_histo;
	struct view view;

	shownTimes = plot->_histo;
	if (plot->_shapes->empty())
		plotted.clear();
	if (action & KSHARK_TASK_DRAW)
		plotted.insert({ stream, id });
	if (!(action & (KSHARK_CPU_DRAW | KSHARK_TASK_DRAW)) || plot->_graph->size() <= 0)
		return;
	view.of = action & KSHARK_CPU_DRAW ? VIEW_CPU : id < 0 ? VIEW_FLOW : VIEW_TASK;
	view.id = view.of == VIEW_FLOW ? lane_flow(id) : id;
	view.from = histo->min;
	view.to = histo->max;
	view.bin = std::max<int64_t>(1, histo->bin_size);
	drawPlot(plot, stream, view);
}

bool isPlotted(int stream, int pid)
{
	if (pid != ANY_TASK)
		return plotted.count({ stream, pid });
	for (const auto &plot : plotted) {
		if (plot.first == stream)
			return true;
	}
	return false;
}

/* The packet in the middle, as much as it is wide beside it; not less than a nanosecond a bin. */
void zoom(const struct kshark_entry *first, const struct kshark_entry *last)
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

extern "C" __attribute__((visibility("default"))) void PART_LOADER(struct parts *p)
{
	host = p;
	p->draw = draw;
	p->zoom = zoom;
	p->is_plotted = isPlotted;
}
