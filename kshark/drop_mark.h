/* SPDX-License-Identifier: LGPL-2.1 */
/* drop_mark.h - the mark of a packet that was dropped, in a plot of KernelShark */
#ifndef _RECORD_SKB_DROP_MARK_H
#define _RECORD_SKB_DROP_MARK_H

#include <cstdint>
#include <cstdlib>
#include <limits>

#include <KsPlotTools.hpp>

/* A dropped packet, and the function that sets the markers to it. */
struct DroppedPacket {
	int stream;
	uint32_t number;
	void (*mark)(int stream, uint32_t number);
};

/*
 * A red line at the place where a packet was dropped, with a flag above the plot. The size in pixels stays
 * the same when the user zooms out, so that no drop is hidden by other packets. White edges separate the line
 * from boxes of any colour.
 */
class DropMark : public KsPlot::Rectangle {
public:
	DropMark(const DroppedPacket &packet, int x, int top, int bottom)
		: _packet(packet)
	{
		setPoint(0, x - 1, top);
		setPoint(1, x - 1, bottom);
		setPoint(2, x + 2, bottom);
		setPoint(3, x + 2, top);
		_color = KsPlot::Color(208, 0, 0);
		_size = 1;
	}

	/*
	 * The distance to the mark is smaller than the distance to any box, so that the mark is selected
	 * first.
	 */
	double distance(int x, int y) const override
	{
		const bool in_flag = std::abs(x - flagX()) <= flagSize && y < pointY(0);

		if (y < pointY(0) - flagSize || y > pointY(1) ||
		    (!in_flag && (x < pointX(0) || x > pointX(2))))
			return std::numeric_limits<double>::max();
		return 0;
	}

private:
	static const int flagSize = 7;

	int flagX() const { return (pointX(0) + pointX(2)) / 2; }
	void _draw(const KsPlot::Color &color, float size) const override;
	void _doubleClick() const override { _packet.mark(_packet.stream, _packet.number); }

	DroppedPacket _packet;
};

/* Draw a flag that points down to the line. */
inline void DropMark::_draw(const KsPlot::Color &color, float size) const
{
	const int left = pointX(0), right = pointX(2), top = pointY(0), bottom = pointY(1);
	const ksplot_point edges[] = {
		{ left - 2, top }, { left - 2, bottom }, { right + 2, bottom }, { right + 2, top }
	};
	const ksplot_point flag[] = {
		{ flagX() - flagSize, top - flagSize },
		{ flagX(), top + 1 },
		{ flagX() + flagSize, top - flagSize },
	};
	const ksplot_color white = { 255, 255, 255 };

	ksplot_draw_polygon(edges, 4, &white, size);
	ksplot_draw_polygon(_points, 4, color.color_c_ptr(), size);
	ksplot_draw_polygon(flag, 3, color.color_c_ptr(), size);
}

#endif
