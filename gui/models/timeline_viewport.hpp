// Arithmetic of the timeline picture, without a widget: time <-> pixel, zoom about a point, and which pixel runs of a
// lane to paint. The cost of painting a lane depends on its width in pixels, not on the number of bars.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gui/timeline/timeline_data.hpp"

namespace trainwright::gui {

class TimelineViewport {
 public:
  /// The whole step over `width` pixels. `end` in seconds.
  void fit(double end, int width);
  void setWidth(int width);

  [[nodiscard]] double begin() const { return begin_; }
  [[nodiscard]] double span() const { return span_; }
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] double toPixel(double seconds) const;
  [[nodiscard]] double toSeconds(double pixel) const;

  /// Factor above 1 zooms in; the time under `pixel` stays there. Stays within the step, and at most 1e7 times
  /// enlarged.
  void zoom(double factor, double pixel);
  void panPixels(double pixels);
  /// Shows [begin, begin + span], clamped as zoom is.
  void show(double begin, double span);

 private:
  void clamp();

  double end_ = 0.0;
  double begin_ = 0.0;
  double span_ = 1.0;
  int width_ = 1;
};

/// A horizontal piece of a lane in one colour. `bar` is the bar it shows (the longest, when several share a pixel).
struct PixelRun {
  double from = 0.0;
  double to = 0.0;
  Activity activity = Activity::idle;
  std::size_t bar = 0;
  bool merged = false;    ///< several bars in one pixel
  double coverage = 1.0;  ///< part of the pixel that is busy, 0 .. 1; 1 for bars of a pixel or more
};

/// What to paint of `lane`, left to right; at most about two runs a pixel.
[[nodiscard]] std::vector<PixelRun> visibleRuns(const TimelineLane& lane, const TimelineViewport& viewport);

/// Bar of the lane under a time, the longest within `tolerance` seconds around it; -1 when there is none.
[[nodiscard]] std::ptrdiff_t barAt(const TimelineLane& lane, double seconds, double tolerance);

/// Distance of axis ticks for `span` seconds: 1, 2 or 5 times a power of ten, about `wanted` of them.
[[nodiscard]] double tickStep(double span, int wanted);

}  // namespace trainwright::gui
