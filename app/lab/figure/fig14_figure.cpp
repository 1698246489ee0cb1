// SPDX-License-Identifier: MIT
#include "lab/figure/fig14_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

#include "lab/figure/svg.h"

namespace nearmiss::app {
namespace {

constexpr double panelWidth = 330.0, panelHeight = 190.0, gapX = 60.0, gapY = 60.0, top = 80.0;

struct Metric {
  std::string_view title;
  double Fig14Row::*value;
  std::optional<double> Fig14Row::*paper;  ///< null: the paper has none
  double least;                            ///< the axis ends no lower
  bool ratio;                              ///< then the octree is 1 and has no bar
};
constexpr std::array<Metric, 3> metrics{{
    {"mean H / octree", &Fig14Row::meanRatio, &Fig14Row::paperMeanRatio, 1.0, true},
    {"greatest H / octree", &Fig14Row::maxRatio, &Fig14Row::paperMaxRatio, 1.0, true},
    {"false alarms, %", &Fig14Row::falseAlarmPercent, nullptr, 10.0, false},
}};

/// Different values of a field, in the order of their first row.
template <class T>
std::vector<T> distinct(std::span<const Fig14Row> rows, T Fig14Row::*field) {
  std::vector<T> values;
  for (const Fig14Row& row : rows)
    if (std::find(values.begin(), values.end(), row.*field) == values.end())
      values.push_back(row.*field);
  return values;
}

class Figure {
 public:
  explicit Figure(std::span<const Fig14Row> rows)
      : rows_(rows),
        models_(distinct(rows, &Fig14Row::model)),
        builders_(distinct(rows, &Fig14Row::builder)),
        levels_(distinct(rows, &Fig14Row::level)) {
    std::sort(levels_.begin(), levels_.end());
  }

  std::string draw() {
    const double width =
        gapX + static_cast<double>(std::max<std::size_t>(models_.size(), 2)) * (panelWidth + gapX);
    const double height = top + static_cast<double>(metrics.size()) * (panelHeight + gapY) + 10.0;
    text_ += svgOpening(width, height);
    drawLegend();
    for (std::size_t m = 0; m < metrics.size(); ++m)
      for (std::size_t c = 0; c < models_.size(); ++c)
        drawPanel(metrics[m], models_[c], gapX + static_cast<double>(c) * (panelWidth + gapX),
                  top + static_cast<double>(m) * (panelHeight + gapY));
    return std::move(text_) + "</svg>\n";
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
  }

  const Fig14Row* find(const std::string& model, const std::string& builder, int level) const {
    for (const Fig14Row& row : rows_)
      if (row.model == model && row.builder == builder && row.level == level) return &row;
    return nullptr;
  }

  void drawLegend() {
    add("<text x=\"{}\" y=\"24\" font-size=\"16\">Fit of sphere trees, level by level</text>\n",
        gapX);
    double x = gapX;
    for (std::size_t b = 0; b < builders_.size(); ++b) {
      add(R"(<rect x="{:.1f}" y="38" width="12" height="12" fill="{}"/><text x="{:.1f}" y="48">{}</text>)"
          "\n",
          x, figureColour(b), x + 17.0, svgText(builders_[b]));
      x += 40.0 + 7.5 * static_cast<double>(builders_[b].size());
    }
    add(R"(<path d="M{:.1f} 44h16" stroke="#000000" stroke-width="2.5"/><text x="{:.1f}" y="48">the paper's medial axis</text>)"
        "\n",
        x, x + 21.0);
  }

  void drawPanel(const Metric& metric, const std::string& model, double left, double upper) {
    double most = metric.least;
    for (const Fig14Row& row : rows_)
      if (row.model == model) most = std::max(most, row.*metric.value);
    most *= 1.18;  // room for the figures above the bars
    const double lower = upper + panelHeight;
    const auto y = [&](double value) { return lower - value / most * panelHeight; };

    // Axes, with the line that is the octree
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">{}: {}</text>\n", left, upper - 8.0,
        svgText(model), metric.title);
    add(R"(<path d="M{:.1f} {:.1f}V{:.1f}H{:.1f}" fill="none" stroke="#000000"/>)"
        "\n",
        left, upper, lower, left + panelWidth);
    const double step = most > 60.0 ? 20.0 : most > 20.0 ? 10.0 : most > 5.0 ? 5.0 : 0.25;
    for (double tick = 0.0; tick <= most; tick += step)
      add(R"(<path d="M{:.1f} {:.1f}h-4" stroke="#000000"/><text x="{:.1f}" y="{:.1f}" text-anchor="end">{:g}</text>)"
          "\n",
          left, y(tick), left - 6.0, y(tick) + 4.0, tick);
    if (metric.ratio)
      add(R"(<path d="M{:.1f} {:.1f}h{:.1f}" stroke="#666666" stroke-dasharray="5 4"/>)"
          "\n",
          left, y(1.0), panelWidth);

    const double group = panelWidth / static_cast<double>(levels_.size());
    for (std::size_t l = 0; l < levels_.size(); ++l)
      drawGroup(metric, model, levels_[l], left + static_cast<double>(l) * group, group, lower, y);
  }

  void drawGroup(const Metric& metric, const std::string& model, int level, double left,
                 double width, double lower, const auto& y) {
    const std::size_t first = metric.ratio && builders_.size() > 1 ? 1 : 0;
    const double bar = 0.8 * width / static_cast<double>(builders_.size() - first);
    const double begin = left + 0.1 * width;
    std::optional<double> paper;
    for (std::size_t b = first; b < builders_.size(); ++b) {
      const Fig14Row* row = find(model, builders_[b], level);
      if (!row) continue;
      const double value = row->*metric.value;
      const double x = begin + static_cast<double>(b - first) * bar;
      add(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}"/>)"
          "\n",
          x, y(value), 0.92 * bar, lower - y(value), figureColour(b));
      add(R"svg(<text transform="translate({:.1f} {:.1f}) rotate(-90)" font-size="9">{}</text>)svg"
          "\n",
          x + 0.46 * bar + 3.0, y(value) - 3.0,
          metric.ratio ? fmt::format("{:.2f}", value) : fmt::format("{:.1f}", value));
      if (metric.paper) paper = row->*metric.paper;
    }
    if (paper)
      add(R"(<path d="M{:.1f} {:.1f}h{:.1f}" stroke="#000000" stroke-width="2.5"/>)"
          "\n",
          begin - 0.05 * width, y(*paper), 0.9 * width);
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">level {}</text>\n",
        left + 0.5 * width, lower + 16.0, level);
  }

  std::span<const Fig14Row> rows_;
  std::vector<std::string> models_, builders_;
  std::vector<int> levels_;
  std::string text_;
};

}  // namespace

std::string drawFig14(std::span<const Fig14Row> rows) { return Figure(rows).draw(); }

}  // namespace nearmiss::app
