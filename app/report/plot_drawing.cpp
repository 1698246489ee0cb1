// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html.h"
#include "report/plot.h"
#include "report/plot_drawing.h"
#include "report/record.h"
#include "report/series_style.h"

namespace nearmiss::app::report {
namespace {

constexpr double minTarget = 1.2;  ///< minimum size for a pointer, pixels

class PlotDrawing {
 public:
  PlotDrawing(const Plot& plot, double width, double height)
      : plot_(plot),
        x_(plot.logX, rangeOf(plot, 0)[0], rangeOf(plot, 0)[1], false),
        y_(plot.logY, rangeOf(plot, 1)[0], rangeOf(plot, 1)[1], true),
        width_(width),
        height_(height) {
    area_.top = 22.0;
    area_.bottom = height - 38.0;
    y_.setPixels(area_.bottom, area_.top);
    area_.left = roomForLabels(y_);
    area_.right = width - 16.0;
    x_.setPixels(area_.left, area_.right);
  }

  [[nodiscard]] std::string draw() const {
    std::string text = plotOpening(plot_, width_, height_);
    text += gridOfX(x_, area_) + gridOfY(y_, area_);
    text += axisNames(plot_.xLabel, plot_.yLabel, area_, width_, height_);
    for (const PlotSeries& series : plot_.series) text += seriesText(series);
    for (std::size_t i = 0; i < plot_.rules.size(); ++i) text += ruleText(i);
    return text + targets() + "</svg>";
  }

 private:
  [[nodiscard]] bool shows(const PlotPoint& point) const {
    return x_.shows(point.x) && y_.shows(point.y);
  }

  [[nodiscard]] std::string ruleText(std::size_t index) const {
    const PlotRule& rule = plot_.rules[index];
    if (!(rule.upright ? x_ : y_).shows(rule.at)) return {};
    const std::string path =
        rule.upright
            ? fmt::format("M{:.1f} {:.1f}V{:.1f}", x_.at(rule.at), area_.bottom, area_.top)
            : fmt::format("M{:.1f} {:.1f}H{:.1f}", area_.left, y_.at(rule.at), area_.right);
    return fmt::format("<path class=\"{}\" d=\"{}\"><title>{}</title></path>\n", ruleClasses(index),
                       path, svgText(rule.name));
  }

  [[nodiscard]] std::string seriesText(const PlotSeries& series) const {
    switch (series.mark) {
      case PlotMark::Classes:
        return classes(series);
      case PlotMark::Range:
        return ranges(series);
      case PlotMark::Dots:
        return marks(series, 1);
      default:
        return line(series) + (hasMarks(series) ? marks(series, 1) : std::string());
    }
  }

  [[nodiscard]] std::string classes(const PlotSeries& series) const {
    std::string text;
    for (const PlotPoint& point : series.points) {
      if (!x_.shows(point.low) || !x_.shows(point.high) || !y_.shows(point.y)) continue;
      const double from = x_.at(point.low), to = x_.at(point.high);
      const double upper = y_.at(point.y), lower = y_.base();
      text += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}><title>{}"
          "</title></rect>\n",
          from, std::min(upper, lower), to - from, std::abs(lower - upper), barFill(series),
          svgText(hoverOf(plot_, series, point)));
    }
    return text;
  }

  [[nodiscard]] std::string ranges(const PlotSeries& series) const {
    std::string path;
    for (const PlotPoint& point : series.points)
      if (x_.shows(point.x) && y_.shows(point.low) && y_.shows(point.high))
        path += fmt::format("M{:.1f} {:.1f}V{:.1f}", x_.at(point.x), y_.at(point.low),
                            y_.at(point.high));
    const double stroke =
        std::max(1.0, (area_.right - area_.left) /
                          static_cast<double>(std::max<std::size_t>(series.points.size(), 1)));
    return fmt::format("<path class=\"range s{}\" stroke-width=\"{:.1f}\" d=\"{}\"/>\n",
                       series.style % seriesColours, stroke, path);
  }

  [[nodiscard]] std::string line(const PlotSeries& series) const {
    std::string path;
    bool begun = false;
    for (const PlotPoint& point : series.points) {
      // Missing points interrupt the line; a step continues up to them
      if (!shows(point)) {
        if (begun && series.mark == PlotMark::Steps && x_.shows(point.x))
          path += fmt::format("H{:.1f}", x_.at(point.x));
        begun = false;
        continue;
      }
      const double x = x_.at(point.x), y = y_.at(point.y);
      if (!begun)
        path += fmt::format("M{:.1f} {:.1f}", x, y);
      else if (series.mark == PlotMark::Steps)
        path += fmt::format("H{:.1f}V{:.1f}", x, y);
      else
        path += fmt::format("L{:.1f} {:.1f}", x, y);
      begun = true;
    }
    return fmt::format("<path class=\"{}\" d=\"{}\"/>\n", lineClasses(series), path);
  }

  /// Every `every`th point; if `seen` is false, only hover areas.
  [[nodiscard]] std::string marks(const PlotSeries& series, std::size_t every,
                                  bool seen = true) const {
    std::string text;
    for (std::size_t i = 0; i < series.points.size(); i += every) {
      const PlotPoint& point = series.points[i];
      if (!shows(point)) continue;
      text += fmt::format("<path class=\"{}\" d=\"{}\"><title>{}</title></path>\n",
                          seen ? markClasses(series) : std::string("target"),
                          markPath(series, x_.at(point.x), y_.at(point.y), seen ? 3.2 : 5.0),
                          svgText(hoverOf(plot_, series, point)));
    }
    return text;
  }

  /// Hover areas of a line with too many points for marks.
  [[nodiscard]] std::string targets() const {
    const bool crowded =
        std::any_of(plot_.series.begin(), plot_.series.end(), [](const PlotSeries& series) {
          return series.mark == PlotMark::Steps ||
                 (series.mark == PlotMark::Line && !hasMarks(series));
        });
    if (!crowded) return {};
    if (const SharedX shared = sharedX(plot_); shared.x.size() > 1) return columnTargets(shared);
    std::string text;
    for (const PlotSeries& series : plot_.series)
      if (series.mark == PlotMark::Line || series.mark == PlotMark::Steps)
        text += marks(series, series.points.size() / maxMarks + 1, false);
    return text;
  }

  [[nodiscard]] std::string columnTargets(const SharedX& shared) const {
    const double width = (area_.right - area_.left) / static_cast<double>(shared.x.size());
    std::string text;
    if (width < minTarget) return text;
    for (std::size_t i = 0; i < shared.x.size(); ++i) {
      if (!x_.shows(shared.x[i])) continue;
      text += fmt::format(
          "<path class=\"target\" stroke-width=\"{:.1f}\" d=\"M{:.1f} {:.0f}V{:.0f}\"><title>{}"
          "</title></path>\n",
          width, x_.at(shared.x[i]), area_.bottom, area_.top,
          svgText(hoverOf(plot_, shared.x[i], shared.points[i])));
    }
    return text;
  }

  const Plot& plot_;
  Axis x_, y_;
  double width_, height_;
  PlotArea area_;
};

}  // namespace

std::string plotOpening(const Plot& plot, double width, double height) {
  return fmt::format(
      "<svg class=\"plot\" role=\"img\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\" aria-label=\"{2}\">\n",
      width, height, svgText(plot.title));
}

std::string plotText(std::string_view text, double x, double y, std::string_view anchor,
                     double room) {
  const std::string shown = truncate(text, room);
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}{}</text>\n", x, y, anchor,
      svgText(shown),
      shown == text ? std::string() : fmt::format("<title>{}</title>", svgText(text)));
}

std::string gridOfX(const Axis& axis, const PlotArea& area) {
  std::string text;
  for (const Tick& tick : axis.ticksAcross()) {
    const double x = axis.at(tick.value);
    text += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>", x, area.top,
                        area.bottom + 3.0);
    text += plotText(tick.label, x, area.bottom + 15.0, "middle", 1e9);
  }
  return text;
}

std::string gridOfY(const Axis& axis, const PlotArea& area) {
  std::string text;
  for (const Tick& tick : axis.ticksUpward()) {
    const double y = axis.at(tick.value);
    text += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", area.left - 3.0, y,
                        area.right);
    text += plotText(tick.label, area.left - 6.0, y + 4.0, "end", 1e9);
  }
  return text;
}

double roomForLabels(const Axis& axis) {
  double room = 20.0;
  for (const Tick& tick : axis.ticksUpward()) room = std::max(room, widthOf(tick.label));
  return room + 10.0;
}

std::string axisNames(std::string_view across, std::string_view upward, const PlotArea& area,
                      double width, double height) {
  return plotText(upward, 2.0, 11.0, "start", width - 4.0) +
         plotText(across, 0.5 * (area.left + area.right), height - 5.0, "middle",
                  area.right - area.left) +
         fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\"/>\n", area.left,
                     area.top, area.bottom, area.right);
}

std::string drawPlot(const Plot& plot, double width, double height) {
  if (!plot.categories.empty()) return drawBars(plot, width, height);
  return PlotDrawing(plot, width, height).draw();
}

namespace {

constexpr double minBar = 4.0;  ///< pixels; thinner hatchings look alike

/// Groups of bars: vertical if their names fit, otherwise horizontal.
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
    // Some numbers may have no label, because they form a scale; names need one
    if ((numbers || every_ <= 1) && 0.8 * slot / series() >= (numbers ? 1.0 : minBar)) return;
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

  [[nodiscard]] double height() const noexcept { return height_; }

 private:
  static double lowest(const Plot& plot) {
    const double low = rangeOf(plot, 1)[0];
    // The length of a bar is its value, so it must start at 0
    return plot.logY ? low : std::min(low, 0.0);
  }
  static double highest(const Plot& plot) {
    // Space for the values above the bars
    const double high = rangeOf(plot, 1)[1] * (plot.values ? 1.15 : 1.0);
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

  /// Start of a group along the axis of categories.
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
    const std::string above = plot_.values && !lying_
                                  ? fmt::format(
                                        "<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" "
                                        "font-size=\"9\">{}</text>",
                                        side + 0.5 * thick + 3.0, from - 3.0, shortNumber(point.y))
                                  : std::string();
    return fmt::format("<rect {} {}><title>{}</title></rect>{}{}\n", place, barFill(each),
                       svgText(hoverOf(plot_, each, point)), whisker(point, side + 0.5 * thick),
                       above);
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
  std::size_t every_ = 1;  ///< every Nth category has a label
  PlotArea area_;
};

}  // namespace

std::string drawBars(const Plot& plot, double width, double height) {
  return BarDrawing(plot, width, height).draw();
}

double plotHeightOf(const Plot& plot, double width, double height) {
  return plot.categories.empty() ? height : BarDrawing(plot, width, height).height();
}

}  // namespace nearmiss::app::report
