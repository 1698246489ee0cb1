// SPDX-License-Identifier: MIT
#include "fly/modes/bench/bench_plot.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

constexpr double minMicros = 0.1;

/// The scale of gaps: roots, so that those near contact are wide.
double rootOf(double gap) noexcept { return std::copysign(std::sqrt(std::abs(gap)), gap); }

}  // namespace

Real signedDistance(const BenchReading& reading) noexcept {
  if (reading.distance.upper > 0.0) return reading.distance.upper;
  return reading.penetration && std::isfinite(reading.penetration->upper)
             ? -reading.penetration->upper
             : 0.0;
}

void CostPlot::add(const BenchReading& reading) {
  CostSample sample;
  sample.gap = signedDistance(reading);
  if (!std::isfinite(sample.gap)) return;
  for (std::size_t i = 0; i < sample.micros.size(); ++i)
    sample.micros[i] = std::max(0.0, 1e-3 * static_cast<double>(reading.costs[i].time.count()));
  if (samples_.size() < capacity) {
    samples_.push_back(sample);
    return;
  }
  samples_[next_] = sample;
  next_ = (next_ + 1) % capacity;
}

void CostPlot::clear() noexcept {
  samples_.clear();
  next_ = 0;
}

void CostPlot::forgetLimited() noexcept {
  for (CostSample& sample : samples_) sample.micros[0] = 0.0;
}

void CostPlot::draw(const Ink& ink, const Rect& rect) const {
  const float em = ink.em(), line = 1.1f * em;
  const float scale = ink.textWidth("100 ms", ink.small()) + 0.4f * em;
  const Rect plot{rect.x + scale, rect.y + 0.4f * em, rect.width - scale - 0.3f * em,
                  rect.height - 0.4f * em - 1.3f * line};
  if (plot.height < em) return;
  ink.fill(plot, palette::plot);
  if (samples_.empty()) {
    ink.textInside(plot, "move a body: each place adds a point", palette::dim);
    return;
  }

  constexpr double most = std::numeric_limits<double>::max();
  double low = most, high = 0.0, nearest = most, farthest = -most;
  for (const CostSample& sample : samples_) {
    nearest = std::min(nearest, sample.gap);
    farthest = std::max(farthest, sample.gap);
    for (const double micros : sample.micros) {
      if (micros <= 0.0) continue;
      low = std::min(low, micros);
      high = std::max(high, micros);
    }
  }
  if (!(high > 0.0)) return;
  // Shorter times are not resolved
  low = std::max(minMicros, std::pow(10.0, std::floor(std::log10(low))));
  high = std::max(10.0 * low, std::pow(10.0, std::ceil(std::log10(high))));
  if (!(farthest > nearest)) farthest = nearest + std::max(1e-12, std::abs(nearest));
  const double left = rootOf(nearest), right = rootOf(farthest), room = 0.04 * (right - left);
  const auto acrossAt = [&](double gap) {
    return plot.x + static_cast<float>((rootOf(gap) - left + room) / (right - left + 2.0 * room)) *
                        plot.width;
  };
  const auto upAt = [&](double micros) {
    const double place = std::log10(std::max(micros, low) / low) / std::log10(high / low);
    return plot.bottom() - static_cast<float>(place) * plot.height;
  };
  for (double tick = low; tick < high * 1.01; tick *= 10.0) {
    const float y = upAt(tick);
    ink.segment({plot.x, y}, {plot.right(), y}, palette::panelEdge, 1.0f, 0.8f);
    ink.textRight({plot.x - 0.35f * em, y}, formatTime(1e-3 * tick), palette::dim, ink.small());
  }
  const auto named = [](double gap) {
    return gap < 0.0 ? lengthText(-gap) + " deep" : "gap " + lengthText(gap);
  };
  const std::string begin = named(nearest), end = named(farthest);
  const float foot = plot.bottom() + 0.65f * line;
  const float beginWidth = ink.textWidth(begin, ink.small());
  const float endWidth = ink.textWidth(end, ink.small());
  ink.textRight({plot.right(), foot}, end, palette::dim, ink.small());
  if (beginWidth + endWidth + em < plot.width)
    ink.text({plot.x, foot}, begin, palette::dim, ink.small());
  // Left of zero the bodies overlap
  if (nearest < 0.0 && farthest > 0.0) {
    const float zero = acrossAt(0.0);
    ink.segment({zero, plot.y}, {zero, plot.bottom()}, palette::overrun, 1.5f);
    if (zero > plot.x + beginWidth + em && zero < plot.right() - endWidth - em)
      ink.text({zero - 0.25f * em, foot}, "0", palette::dim, ink.small());
  }

  const CostSample& newest =
      samples_[samples_.size() < capacity ? samples_.size() - 1
                                          : (next_ + capacity - 1) % capacity];
  const auto point = [&](const CostSample& sample, std::size_t method, float half, float alpha) {
    if (sample.micros[method] <= 0.0) return;
    const glm::vec2 at(acrossAt(sample.gap), upAt(sample.micros[method]));
    ink.fill({at.x - half, at.y - half, 2.0f * half, 2.0f * half}, benchMethods[method].colour,
             alpha);
  };
  for (const CostSample& sample : samples_)
    for (std::size_t method = sample.micros.size(); method-- > 0;)
      point(sample, method, 1.0f, 0.75f);
  ink.textRight({plot.right() - 0.4f * em, plot.y + 0.7f * em}, "cost over gap", palette::dim,
                ink.small());
  const float now = acrossAt(newest.gap);
  ink.segment({now, plot.y}, {now, plot.bottom()}, palette::dim, 1.0f, 0.6f);
  for (std::size_t method = newest.micros.size(); method-- > 0;) point(newest, method, 3.0f, 1.0f);
}

}  // namespace nearmiss::app::fly
