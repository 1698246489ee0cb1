// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/figure/svg.h"
#include "report/plot_data.h"
#include "report/plot_drawing.h"
#include "report/record_reader.h"
#include "report/series_style.h"

namespace nearmiss::app {
namespace {

constexpr double leastBar = 4.0;  ///< pixels; thinner hatchings look alike

/// Groups of bars side by side, upright where their names have room, else lying.
class BarDrawing {
 public:
  BarDrawing(const Plot& plot, double width, double height)
      : plot_(plot), values_(plot.logY, lowest(plot), highest(plot), true), width_(width) {
    for (const std::string& name : plot.categories) longest_ = std::max(longest_, widthOf(name));
    layOutUpright(height);
    const double slot = extent() / groups();
    const bool numbers =
        std::all_of(plot.categories.begin(), plot.categories.end(),
                    [](const std::string& name) { return numberIn(name).has_value(); });
    every_ = static_cast<std::size_t>(std::ceil((longest_ + 8.0) / slot));
    // Numbers are a scale, on which some may go without a label; names are not
    if ((numbers || every_ <= 1) && 0.8 * slot / series() >= (numbers ? 1.0 : leastBar)) return;
    layOutLying();
  }

  [[nodiscard]] std::string draw() const {
    std::string text = plotOpening(plot_, width_, height_);
    text += lying_ ? gridOfX(values_, area_) : gridOfY(values_, area_);
    text += lying_ ? axisNames(plot_.yLabel, plot_.xLabel, area_, width_, height_)
                   : axisNames(plot_.xLabel, plot_.yLabel, area_, width_, height_);
    for (std::size_t i = 0; i < plot_.categories.size(); i += every_) text += nameText(i);
    for (std::size_t i = 0; i < plot_.rules.size(); ++i) text += ruleText(i);
    for (std::size_t s = 0; s < plot_.series.size(); ++s)
      for (const PlotPoint& point : plot_.series[s].points) text += barText(s, point);
    return text + "</svg>";
  }

 private:
  static double lowest(const Plot& plot) {
    const double low = rangeOf(plot, 1)[0];
    // The length of a bar is its value, so that bars begin at 0
    return plot.logY ? low : std::min(low, 0.0);
  }
  static double highest(const Plot& plot) {
    const double high = rangeOf(plot, 1)[1];
    return plot.logY ? high : std::max(high, 0.0);
  }
  [[nodiscard]] double groups() const { return static_cast<double>(plot_.categories.size()); }
  [[nodiscard]] double series() const {
    return static_cast<double>(std::max<std::size_t>(plot_.series.size(), 1));
  }
  [[nodiscard]] double extent() const {
    return lying_ ? area_.bottom - area_.top : area_.right - area_.left;
  }

  void layOutUpright(double height) {
    height_ = height;
    area_.top = 22.0;
    area_.bottom = height - 38.0;
    values_.setPixels(area_.bottom, area_.top);
    area_.left = roomForLabels(values_);
    area_.right = width_ - 8.0;
  }

  void layOutLying() {
    lying_ = true;
    every_ = 1;
    names_ = std::min(longest_, 0.38 * width_);
    area_.left = names_ + 10.0;
    area_.right = width_ - 24.0;
    values_.setPixels(area_.left, area_.right);
    area_.bottom = area_.top + groups() * std::max(lineHeight + 4.0, 9.0 * series() + 8.0);
    height_ = area_.bottom + 38.0;
  }

  /// Where a group begins, along the categories.
  [[nodiscard]] double groupAt(double index) const {
    return (lying_ ? area_.top : area_.left) + extent() * index / groups();
  }

  [[nodiscard]] std::string nameText(std::size_t index) const {
    const double middle = groupAt(static_cast<double>(index) + 0.5);
    const std::string& name = plot_.categories[index];
    return lying_ ? plotText(name, area_.left - 6.0, middle + 4.0, "end", names_)
                  : plotText(name, middle, area_.bottom + 15.0, "middle", 1e9);
  }

  [[nodiscard]] std::string ruleText(std::size_t index) const {
    const PlotRule& rule = plot_.rules[index];
    if (rule.upright || !values_.shows(rule.at)) return {};
    const double at = values_.at(rule.at);
    return fmt::format("<path class=\"{}\" d=\"{}\"><title>{}</title></path>\n", ruleClasses(index),
                       lying_ ? fmt::format("M{:.1f} {:.1f}V{:.1f}", at, area_.bottom, area_.top)
                              : fmt::format("M{:.1f} {:.1f}H{:.1f}", area_.left, at, area_.right),
                       svgText(rule.name));
  }

  [[nodiscard]] std::string barText(std::size_t index, const PlotPoint& point) const {
    if (!values_.shows(point.y)) return {};
    const PlotSeries& each = plot_.series[index];
    const double thick = 0.8 * extent() / groups() / series();
    const double side = groupAt(point.x + 0.1) + thick * static_cast<double>(index);
    const double from = std::min(values_.base(), values_.at(point.y));
    const double length = std::abs(values_.base() - values_.at(point.y));
    const std::string place =
        lying_ ? fmt::format("x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"", from,
                             side, length, thick)
               : fmt::format("x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"", side,
                             from, thick, length);
    return fmt::format("<rect {} {}><title>{}</title></rect>{}\n", place, barFill(each),
                       svgText(hoverOf(plot_, each, point)), whisker(point, side + 0.5 * thick));
  }

  [[nodiscard]] std::string whisker(const PlotPoint& point, double middle) const {
    if (!values_.shows(point.low) || !values_.shows(point.high) || point.low == point.high)
      return {};
    const double low = values_.at(point.low), high = values_.at(point.high);
    return fmt::format(
        "<path class=\"whisker\" d=\"{}\"/>",
        lying_ ? fmt::format("M{0:.1f} {2:.1f}H{1:.1f}M{0:.1f} {3:.1f}v4M{1:.1f} {3:.1f}v4", low,
                             high, middle, middle - 2.0)
               : fmt::format("M{2:.1f} {0:.1f}V{1:.1f}M{3:.1f} {0:.1f}h4M{3:.1f} {1:.1f}h4", low,
                             high, middle, middle - 2.0));
  }

  const Plot& plot_;
  Axis values_;
  double width_, height_ = 0.0, longest_ = 0.0, names_ = 0.0;
  bool lying_ = false;
  std::size_t every_ = 1;  ///< one of so many categories is named
  PlotArea area_;
};

}  // namespace

std::string drawBars(const Plot& plot, double width, double height) {
  return BarDrawing(plot, width, height).draw();
}

}  // namespace nearmiss::app
