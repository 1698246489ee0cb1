// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include "report/html.h"
#include "report/table_section.h"

namespace nearmiss::app::report {
namespace {

constexpr std::string_view publishedPrefix = "paper_";

class TablePlot {
 public:
  TablePlot(const RecordTable& table, const DescribedFigure& figure)
      : table_(table), figure_(figure) {
    plot_.title = figure.title;
    plot_.says = figure.says;
    plot_.xLabel = figure.xLabel;
    plot_.yLabel = figure.yLabel;
    plot_.logX = figure.logX;
    plot_.logY = figure.logY;
  }

  Result<Plot> plot() {
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      if (!wanted(row)) continue;
      if (const auto added = addRow(row); !added) return added.error();
    }
    if (bars()) joinBars();
    dropEmptySeries();
    giveStyles();
    limit();
    return std::move(plot_);
  }

 private:
  [[nodiscard]] bool bars() const { return figure_.kind == DescribedFigure::Kind::Bars; }

  [[nodiscard]] bool wanted(std::size_t row) const {
    return std::all_of(figure_.where.begin(), figure_.where.end(), [&](const auto& condition) {
      const auto& [column, allowed] = condition;
      return std::find(allowed.begin(), allowed.end(), table_.cell(row, column)) != allowed.end();
    });
  }

  Result<Success> addRow(std::size_t row) {
    auto x = bars() ? Result<double>(categoryOf(row)) : numberAt(row, figure_.x.front());
    if (!x) return x.error();
    for (const std::size_t column : figure_.y) {
      const auto y = numberAt(row, column);
      if (!y) return y.error();
      seriesOf(row, column).points.push_back({*x, *y});
    }
    return Success{};
  }

  /// NaN if the cell is empty.
  [[nodiscard]] Result<double> numberAt(std::size_t row, std::size_t column) const {
    const std::string& cell = table_.cell(row, column);
    if (cell.empty()) return std::numeric_limits<double>::quiet_NaN();
    if (const auto value = measuredIn(cell)) return *value;
    return Error{
        ErrorCode::BadFormat,
        fmt::format("\"{}\", line {}: \"{}\" in the column {} is not a number",
                    table_.file.string(), table_.rowLines[row], cell, table_.columns[column])};
  }

  double categoryOf(std::size_t row) {
    std::string name;
    for (const std::size_t column : figure_.x) {
      const std::string& cell = table_.cell(row, column);
      const bool bare = figure_.x.size() == 1 || !measuredIn(cell);
      if (!cell.empty())
        name += fmt::format("{}{}{}", name.empty() ? "" : ", ",
                            bare ? "" : table_.columns[column] + " ", cell);
    }
    const auto [at, added] = categories_.try_emplace(name, plot_.categories.size());
    if (added) plot_.categories.push_back(name);
    return static_cast<double>(at->second);
  }

  PlotSeries& seriesOf(std::size_t row, std::size_t column) {
    std::string name;
    for (const std::size_t by : figure_.by)
      name += fmt::format("{}{}", name.empty() ? "" : ", ", table_.cell(row, by));
    if (name.empty() || figure_.y.size() > 1)
      name += fmt::format("{}{}", name.empty() ? "" : ": ", table_.columns[column]);
    const auto [at, added] = places_.try_emplace(name, plot_.series.size());
    if (!added) return plot_.series[at->second];
    constexpr std::array marks{PlotMark::Line, PlotMark::Dots, PlotMark::Bars, PlotMark::Steps};
    PlotSeries series;
    series.name = std::move(name);
    series.mark = marks[static_cast<std::size_t>(figure_.kind)];
    series.published = table_.columns[column].starts_with(publishedPrefix);
    plot_.series.push_back(std::move(series));
    return plot_.series.back();
  }

  /// Joins rows for the same bar.
  void joinBars() {
    bool several = false;
    for (PlotSeries& series : plot_.series) {
      std::map<double, std::pair<PlotPoint, double>> bars;  // with the number of rows of each
      for (const PlotPoint& row : series.points) {
        if (std::isnan(row.y)) continue;
        const PlotPoint first{row.x, 0.0, row.y, row.y};
        auto& [bar, count] = bars.try_emplace(row.x, first, 0.0).first->second;
        bar.low = std::min(bar.low, row.y);
        bar.high = std::max(bar.high, row.y);
        bar.y += row.y;
        count += 1.0;
      }
      series.points.clear();
      for (auto& [category, counted] : bars) {
        counted.first.y /= counted.second;
        several = several || counted.second > 1.0;
        series.points.push_back(counted.first);
      }
    }
    if (several)
      say("Bars of several rows are as long as their mean, with a whisker from minimum to maximum");
  }

  void dropEmptySeries() {
    std::erase_if(plot_.series, [](const PlotSeries& series) {
      return std::all_of(series.points.begin(), series.points.end(),
                         [](const PlotPoint& point) { return std::isnan(point.y); });
    });
  }

  /// A paper's series has the colour of the measured one.
  void giveStyles() {
    std::size_t next = 0;
    for (PlotSeries& series : plot_.series)
      if (!series.published) series.style = next++;
    for (PlotSeries& series : plot_.series) {
      if (!series.published) continue;
      std::string measured = series.name;
      // A figure with published numbers only may name its series without their column
      if (const std::size_t at = measured.rfind(publishedPrefix); at != measured.npos)
        measured.erase(at, publishedPrefix.size());
      const auto same = std::find_if(
          plot_.series.begin(), plot_.series.end(),
          [&](const PlotSeries& other) { return !other.published && other.name == measured; });
      series.style = same == plot_.series.end() ? next++ : same->style;
    }
  }

  void limit() {
    if (plot_.series.size() > maxSeries) {
      say(fmt::format("Only the first {} of {} series are drawn; the table has all", maxSeries,
                      plot_.series.size()));
      plot_.series.resize(maxSeries);
    }
    if (plot_.categories.size() > maxCategories) cutCategories();
    std::size_t every = 1;
    for (const PlotSeries& series : plot_.series)
      every = std::max(every, (series.points.size() + maxPoints - 1) / maxPoints);
    if (every == 1) return;
    say(fmt::format("One of every {} points is drawn", every));
    for (PlotSeries& series : plot_.series) {
      std::vector<PlotPoint> kept;
      for (std::size_t i = 0; i < series.points.size(); i += every)
        kept.push_back(series.points[i]);
      series.points = std::move(kept);
    }
  }

  void cutCategories() {
    say(fmt::format("Only the first {} of {} places of the axis are drawn; the table has all",
                    maxCategories, plot_.categories.size()));
    plot_.categories.resize(maxCategories);
    for (PlotSeries& series : plot_.series)
      std::erase_if(series.points, [](const PlotPoint& point) {
        return point.x >= static_cast<double>(maxCategories);
      });
  }

  void say(std::string_view sentence) {
    const bool ends = plot_.says.empty() || plot_.says.ends_with('.');
    plot_.says += fmt::format("{} {}.", ends ? "" : ".", sentence);
  }

  const RecordTable& table_;
  const DescribedFigure& figure_;
  Plot plot_;
  std::unordered_map<std::string, std::size_t> categories_, places_;  ///< by name
};

constexpr std::size_t maxUnfolded = 24;  ///< rows

HtmlTable wholeTable(const RecordTable& table) {
  HtmlTable html;
  html.rowsInAll = table.rows();
  for (const std::string& column : table.columns)
    html.headings.push_back({column, table.meaningOf(column)});
  for (std::size_t row = 0; row < std::min(table.rows(), HtmlTable::maxRows); ++row) {
    html.rows.emplace_back();
    for (std::size_t column = 0; column < table.columns.size(); ++column)
      html.rows.back().push_back(table.cell(row, column));
  }
  return html;
}

}  // namespace

Result<Plot> plotOf(const RecordTable& table, const DescribedFigure& figure) {
  return TablePlot(table, figure).plot();
}

Result<std::string> tableSectionHtml(const RecordTable& table) {
  const auto figures = describedFigures(table);
  if (!figures) return figures.error();
  std::vector<std::string> notes;
  for (const HeadLine& line : table.head)
    if (line.key == "note") notes.push_back(line.value);
  std::string text = listHtml(notes);

  if (!figures->empty()) text += "<div class=\"figures\">\n";
  for (const DescribedFigure& figure : *figures) {
    const auto plot = plotOf(table, figure);
    if (!plot) return plot.error();
    text += figureHtml(*plot);
  }
  if (!figures->empty()) text += "</div>\n";

  const std::string whole = tableHtml(wholeTable(table));
  text += table.rows() <= maxUnfolded
              ? whole
              : foldedHtml(fmt::format("The table, {} rows", table.rows()), whole);
  const std::array<NamedHead, 1> head{{{"value", table.head}}};
  return text + foldedHtml("Settings and machine", settingsHtml(head));
}

}  // namespace nearmiss::app::report
