// SPDX-License-Identifier: Apache-2.0
#include "gui/models/timeline_viewport.hpp"

#include <algorithm>
#include <cmath>

namespace trainwright::gui {
namespace {

constexpr double kMostEnlarged = 1e7;

// Bars of one stream follow each other, so the ends are sorted like the starts.
std::size_t firstEndingAfter(const std::vector<TimelineBar>& bars, double seconds, std::size_t from) {
  const auto found = std::upper_bound(bars.begin() + static_cast<std::ptrdiff_t>(from), bars.end(), seconds,
                                      [](double time, const TimelineBar& bar) { return time < bar.end; });
  return static_cast<std::size_t>(found - bars.begin());
}

/// Seconds of the lane that are busy before a time.
double busyUntil(const TimelineLane& lane, double seconds, std::size_t from) {
  const std::size_t bar = firstEndingAfter(lane.bars, seconds, from);
  const double partly = bar < lane.bars.size() ? std::max(seconds - lane.bars[bar].start, 0.0) : 0.0;
  return lane.busyBefore[bar] + partly;
}

/// One pixel of narrow bars, the first of which is `first`: how busy it is, and what with. The longest share among the
/// first few decides the colour; to ask all of thousands would cost more than the eye can tell.
PixelRun pixelOf(const TimelineLane& lane, std::size_t first, double pixel, const TimelineViewport& viewport) {
  constexpr std::size_t kLookAt = 24;
  const double begin = viewport.toSeconds(pixel);
  const double end = viewport.toSeconds(pixel + 1.0);
  std::size_t longest = first;
  double longestShare = -1.0;
  std::size_t count = 0;
  for (std::size_t j = first; j < lane.bars.size() && count < kLookAt && lane.bars[j].start < end; ++j, ++count) {
    const double share = std::min(lane.bars[j].end, end) - std::max(lane.bars[j].start, begin);
    if (share > longestShare) {
      longestShare = share;
      longest = j;
    }
  }
  const double busy = busyUntil(lane, end, first) - busyUntil(lane, begin, first > 0 ? first - 1 : 0);
  return {pixel,   pixel + 1.0, lane.bars[longest].activity,
          longest, count > 1,   std::clamp(busy / (end - begin), 0.0, 1.0)};
}

}  // namespace

void TimelineViewport::fit(double end, int width) {
  end_ = end;
  width_ = std::max(width, 1);
  begin_ = 0.0;
  span_ = end > 0.0 ? end : 1.0;
}

void TimelineViewport::setWidth(int width) {
  width_ = std::max(width, 1);
}

double TimelineViewport::toPixel(double seconds) const {
  return (seconds - begin_) / span_ * width_;
}

double TimelineViewport::toSeconds(double pixel) const {
  return begin_ + pixel / width_ * span_;
}

void TimelineViewport::clamp() {
  if (end_ <= 0.0)
    return;
  span_ = std::clamp(span_, end_ / kMostEnlarged, end_);
  begin_ = std::clamp(begin_, 0.0, end_ - span_);
}

void TimelineViewport::zoom(double factor, double pixel) {
  const double fixed = toSeconds(pixel);
  span_ /= factor;
  if (end_ > 0.0)
    span_ = std::clamp(span_, end_ / kMostEnlarged, end_);
  begin_ = fixed - pixel / width_ * span_;
  clamp();
}

void TimelineViewport::panPixels(double pixels) {
  begin_ += pixels / width_ * span_;
  clamp();
}

void TimelineViewport::show(double begin, double span) {
  begin_ = begin;
  span_ = span;
  clamp();
}

std::vector<PixelRun> visibleRuns(const TimelineLane& lane, const TimelineViewport& viewport) {
  constexpr double kExactPixels = 3.0;  // from this width on, edges between pixels are worth drawing
  std::vector<PixelRun> runs;
  const std::vector<TimelineBar>& bars = lane.bars;
  const double lastSecond = viewport.begin() + viewport.span();
  double nextPixel = 0.0;
  std::size_t i = firstEndingAfter(bars, viewport.begin(), 0);
  while (i < bars.size() && bars[i].start < lastSecond) {
    const double from = viewport.toPixel(bars[i].start);
    const double to = viewport.toPixel(bars[i].end);
    if (to - from >= kExactPixels) {
      runs.push_back({from, to, bars[i].activity, i, false, 1.0});
      ++i;
      continue;
    }
    const double pixel = std::max(std::floor(from), nextPixel);
    if (to <= pixel) {
      ++i;
      continue;
    }
    runs.push_back(pixelOf(lane, i, pixel, viewport));
    nextPixel = pixel + 1.0;
    // A bar that reaches into the next pixel is met there again.
    i = std::max(firstEndingAfter(bars, viewport.toSeconds(nextPixel), i), i);
  }
  return runs;
}

std::ptrdiff_t barAt(const TimelineLane& lane, double seconds, double tolerance) {
  std::ptrdiff_t best = -1;
  double bestLength = -1.0;
  for (std::size_t i = firstEndingAfter(lane.bars, seconds - tolerance, 0); i < lane.bars.size(); ++i) {
    const TimelineBar& bar = lane.bars[i];
    if (bar.start > seconds + tolerance)
      break;
    if (bar.start <= seconds && seconds < bar.end)
      return static_cast<std::ptrdiff_t>(i);
    if (bar.end - bar.start > bestLength) {
      bestLength = bar.end - bar.start;
      best = static_cast<std::ptrdiff_t>(i);
    }
  }
  return best;
}

double tickStep(double span, int wanted) {
  if (span <= 0.0 || wanted <= 0)
    return 1.0;
  const double rough = span / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (rough <= factor * power * (1.0 + 1e-9))
      return factor * power;
  return 10.0 * power;
}

}  // namespace trainwright::gui
