// SPDX-License-Identifier: MIT
#include "lab/figure/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "lab/figure/svg.h"

namespace nearmiss::app {
namespace {

constexpr double panelWidth = 340.0, panelHeight = 240.0, gapX = 80.0, gapY = 80.0;

/// One axis: from values to pixels, and where its ticks are.
class Scale {
 public:
  Scale(bool logarithmic, double low, double high, double pixelAtLow, double pixelAtHigh)
      : logarithmic_(logarithmic), from_(pixelAtLow), to_(pixelAtHigh) {
    if (!(low <= high)) low = high = 1.0;
    if (logarithmic_) {
      low_ = std::log10(low);
      high_ = std::log10(high);
    } else {
      low_ = std::min(low, 0.0);
      high_ = high;
    }
    // Room around the outermost points, and for a single one
    const double room = std::max(0.04 * (high_ - low_), logarithmic_ ? 0.05 : 1e-9);
    if (logarithmic_ || low_ < 0.0) low_ -= room;
    high_ += room;
  }

  [[nodiscard]] bool shows(double value) const {
    return std::isfinite(value) && (!logarithmic_ || value > 0.0);
  }
  [[nodiscard]] double at(double value) const {
    const double place = logarithmic_ ? std::log10(value) : value;
    return from_ + (place - low_) / (high_ - low_) * (to_ - from_);
  }
  [[nodiscard]] std::vector<double> ticks() const {
    std::vector<double> values;
    if (!logarithmic_) {
      const double rough = (high_ - low_) / 5.0;
      const double decade = std::pow(10.0, std::floor(std::log10(rough)));
      const double step = decade * (rough < 2.0 * decade ? 2.0 : rough < 5.0 * decade ? 5.0 : 10.0);
      for (double k = std::ceil(low_ / step); k * step <= high_; k += 1.0)
        values.push_back(k * step);
      return values;
    }
    const std::vector<double> parts =
        high_ - low_ > 2.5 ? std::vector<double>{1.0} : std::vector<double>{1.0, 2.0, 5.0};
    for (double decade = std::floor(low_); decade <= high_; decade += 1.0)
      for (const double part : parts) {
        const double place = decade + std::log10(part);
        if (place >= low_ && place <= high_) values.push_back(std::pow(10.0, place));
      }
    return values;
  }

 private:
  bool logarithmic_;
  double low_ = 0.0, high_ = 1.0, from_, to_;
};

class Figure {
 public:
  Figure(std::string_view title, std::span<const Chart> charts, std::size_t columns)
      : title_(title), charts_(charts), columns_(std::max<std::size_t>(columns, 1)) {
    for (const Chart& chart : charts)
      for (const ChartSeries& series : chart.series)
        if (std::find(names_.begin(), names_.end(), series.name) == names_.end())
          names_.push_back(series.name);
  }

  std::string draw() {
    const std::size_t rows = (charts_.size() + columns_ - 1) / columns_;
    const double width = gapX + static_cast<double>(columns_) * (panelWidth + gapX);
    drawLegend(width);
    const double top = legendEnd_ + 30.0;
    const double height = top + 20.0 + static_cast<double>(rows) * (panelHeight + gapY);
    text_ = svgOpening(width, height) + text_;
    for (std::size_t i = 0; i < charts_.size(); ++i)
      drawChart(charts_[i], gapX + static_cast<double>(i % columns_) * (panelWidth + gapX),
                top + 20.0 + static_cast<double>(i / columns_) * (panelHeight + gapY));
    return std::move(text_) + "</svg>\n";
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
  }
  [[nodiscard]] std::string_view colourOf(const std::string& name) const {
    const auto at = std::find(names_.begin(), names_.end(), name);
    return figureColour(static_cast<std::size_t>(at - names_.begin()));
  }

  /// As many rows as the names need.
  void drawLegend(double width) {
    add("<text x=\"{}\" y=\"24\" font-size=\"16\">{}</text>\n", gapX, svgText(title_));
    double x = gapX;
    for (const std::string& name : names_) {
      const double room = 36.0 + 7.0 * static_cast<double>(name.size());
      if (x > gapX && x + room > width) {
        x = gapX;
        legendEnd_ += 18.0;
      }
      add(R"(<rect x="{:.1f}" y="{:.1f}" width="12" height="12" fill="{}"/><text x="{:.1f}" y="{:.1f}">{}</text>)"
          "\n",
          x, legendEnd_ - 12.0, colourOf(name), x + 17.0, legendEnd_ - 2.0, svgText(name));
      x += room;
    }
  }

  /// The least and the greatest value that the axis can show.
  static std::array<double, 2> rangeOf(const Chart& chart, std::size_t axis, bool logarithmic) {
    std::array<double, 2> range{std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity()};
    const auto include = [&](double value) {
      if (!std::isfinite(value) || (logarithmic && value <= 0.0)) return;
      range[0] = std::min(range[0], value);
      range[1] = std::max(range[1], value);
    };
    for (const ChartSeries& series : chart.series)
      for (const auto& point : series.points) include(point[axis]);
    if (axis == 1 && chart.rule) include(*chart.rule);
    return range;
  }

  void drawChart(const Chart& chart, double left, double upper) {
    const double right = left + panelWidth, lower = upper + panelHeight;
    const auto across = rangeOf(chart, 0, chart.logX), along = rangeOf(chart, 1, chart.logY);
    const Scale x(chart.logX, across[0], across[1], left, right);
    const Scale y(chart.logY, along[0], along[1], lower, upper);
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">{}</text>\n", left, upper - 8.0,
        svgText(chart.title));
    add(R"(<path d="M{:.1f} {:.1f}V{:.1f}H{:.1f}" fill="none" stroke="#000000"/>)"
        "\n",
        left, upper, lower, right);
    for (const double tick : x.ticks())
      add(R"(<path d="M{0:.1f} {1:.1f}v4" stroke="#000000"/><text x="{0:.1f}" y="{2:.1f}" text-anchor="middle" font-size="10">{3:.4g}</text>)"
          "\n",
          x.at(tick), lower, lower + 16.0, tick);
    for (const double tick : y.ticks())
      add(R"(<path d="M{:.1f} {:.1f}h-4" stroke="#000000"/><text x="{:.1f}" y="{:.1f}" text-anchor="end" font-size="10">{:.4g}</text>)"
          "\n",
          left, y.at(tick), left - 6.0, y.at(tick) + 4.0, tick);
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", 0.5 * (left + right),
        lower + 34.0, svgText(chart.xLabel));
    add(R"svg(<text transform="translate({:.1f} {:.1f}) rotate(-90)" text-anchor="middle">{}</text>)svg"
        "\n",
        left - 46.0, 0.5 * (upper + lower), svgText(chart.yLabel));
    if (chart.rule)
      add(R"(<path d="M{:.1f} {:.1f}H{:.1f}" stroke="#666666" stroke-dasharray="5 4"/>)"
          "\n",
          left, y.at(*chart.rule), right);
    for (const ChartSeries& series : chart.series) drawSeries(series, x, y);
  }

  void drawSeries(const ChartSeries& series, const Scale& x, const Scale& y) {
    const std::string_view colour = colourOf(series.name);
    std::string path;
    double before = 0.0;
    for (const auto& [atX, atY] : series.points) {
      if (!x.shows(atX) || !y.shows(atY)) continue;
      const double px = x.at(atX), py = y.at(atY);
      if (series.mark == ChartMark::Dots) {
        add(R"(<circle cx="{:.1f}" cy="{:.1f}" r="2.2" fill="{}" fill-opacity="0.6"/>)"
            "\n",
            px, py, colour);
        continue;
      }
      if (path.empty())
        path = fmt::format("M{:.1f} {:.1f}", px, py);
      else if (series.mark == ChartMark::Steps)
        path += fmt::format("H{:.1f}V{:.1f}H{:.1f}", 0.5 * (before + px), py, px);
      else
        path += fmt::format("L{:.1f} {:.1f}", px, py);
      before = px;
    }
    if (!path.empty())
      add(R"(<path d="{}" fill="none" stroke="{}" stroke-width="2"/>)"
          "\n",
          path, colour);
  }

  std::string_view title_;
  std::span<const Chart> charts_;
  std::size_t columns_;
  std::vector<std::string> names_;
  double legendEnd_ = 50.0;  ///< pixels from above
  std::string text_;
};

}  // namespace

std::string drawCharts(std::string_view title, std::span<const Chart> charts, std::size_t columns) {
  return Figure(title, charts, columns).draw();
}

}  // namespace nearmiss::app
