// SPDX-License-Identifier: MIT
#include "lab/table_plot.h"

#include <nearmiss/detail/assertion.h>

#include <algorithm>
#include <array>

#include "report/table_section.h"

namespace nearmiss::app::lab {
namespace {

report::RecordTable recordOf(const Table& table) {
  report::RecordTable record;
  for (const ColumnHead& column : table.columns) record.columns.push_back(column.name);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto& cells = table.rows[row].cells;
    record.cells.insert(record.cells.end(), cells.begin(), cells.end());
    record.rowLines.push_back(row + 1);
  }
  return record;
}

report::DescribedFigure describedFigure(const Table& table, const TableFigure& figure) {
  constexpr std::array<std::string_view, 4> kinds{"lines", "points", "bars", "steps"};
  report::DescribedFigure told;
  told.title = figure.title;
  told.says = figure.says;
  told.xLabel = figure.xLabel.empty() ? figure.x : figure.xLabel;
  told.yLabel = figure.yLabel.empty() ? figure.y.front() : figure.yLabel;
  told.kind = static_cast<report::DescribedFigure::Kind>(std::ranges::find(kinds, figure.kind) -
                                                         kinds.begin());
  told.logX = figure.log.starts_with('x');
  told.logY = figure.log.ends_with('y');
  told.x = {table.column(figure.x)};
  for (const std::string& name : figure.y) told.y.push_back(table.column(name));
  for (const std::string& name : figure.by) told.by.push_back(table.column(name));
  for (const auto& [name, values] : figure.where)
    told.where.emplace_back(table.column(name), report::alternativesIn(values));
  return told;
}

}  // namespace

report::Plot plotOf(const Table& table, const TableFigure& figure) {
  auto plot = report::plotOf(recordOf(table), describedFigure(table, figure));
  NEARMISS_DEMAND(plot.has_value(), table.rows.size());
  return *std::move(plot);
}

report::Plot plotOf(const Table& table, const TableFigure& figure, report::PlotRule rule) {
  report::Plot plot = plotOf(table, figure);
  plot.rules.push_back(std::move(rule));
  return plot;
}

std::vector<std::string> distinct(const Table& table, std::string_view column) {
  const std::size_t at = table.column(column);
  std::vector<std::string> values;
  for (const TableRow& row : table.rows)
    if (std::ranges::find(values, row.cells[at]) == values.end()) values.push_back(row.cells[at]);
  return values;
}

}  // namespace nearmiss::app::lab
