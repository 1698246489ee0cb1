// SPDX-License-Identifier: MIT
#include <engine/scene/json_limits.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "report/table_section.h"

namespace nearmiss::app::report {
namespace {

using Json = nlohmann::json;

/// Reads one line; keeps the first fault.
class FigureReader {
 public:
  FigureReader(const RecordTable& table, const HeadLine& line) : table_(table), line_(line) {}

  Result<DescribedFigure> read() {
    if (const auto excess = engine::jsonExcess(line_.value); !excess.empty())
      return fault(fmt::format("the figure {}", excess));
    json_ = Json::parse(line_.value, nullptr, false);
    if (!json_.is_object()) return fault("the figure is not a JSON object");
    checkKeys();
    DescribedFigure figure;
    figure.title = text("title");
    figure.says = text("says");
    figure.kind = kind();
    figure.x = {column("x", text("x"))};
    figure.y = columns("y");
    figure.by = columns("by");
    const std::string log = text("log");
    if (log != "" && log != "x" && log != "y" && log != "xy")
      blame(fmt::format("\"log\" of the figure is \"{}\" and not x, y or xy", log));
    figure.logX = log.starts_with('x');
    figure.logY = log.ends_with('y');
    figure.xLabel = text("x_label", text("x"));
    figure.yLabel = text("y_label");
    readWhere(figure);
    if (!complaint_ && figure.y.empty()) blame("the figure names no column for y");
    if (complaint_) return fault(*complaint_);
    if (figure.yLabel.empty()) figure.yLabel = table_.columns[figure.y.front()];
    return figure;
  }

 private:
  [[nodiscard]] Error fault(std::string_view what) const {
    return {ErrorCode::BadFormat,
            fmt::format("\"{}\", line {}: {}", table_.file.string(), line_.line, what)};
  }
  void blame(std::string what) {
    if (!complaint_) complaint_ = std::move(what);
  }

  void checkKeys() {
    constexpr std::array<std::string_view, 10> known{
        "title", "says", "kind", "x", "y", "by", "log", "x_label", "y_label", "where"};
    for (const auto& item : json_.items())
      if (std::find(known.begin(), known.end(), item.key()) == known.end())
        blame(fmt::format("the figure has an unknown key \"{}\"", item.key()));
  }

  std::string text(const char* key, std::string otherwise = {}) {
    const auto at = json_.find(key);
    if (at == json_.end()) return otherwise;
    if (at->is_string()) return at->get<std::string>();
    blame(fmt::format("\"{}\" of the figure is not a text", key));
    return otherwise;
  }

  DescribedFigure::Kind kind() {
    const std::string name = text("kind");
    constexpr std::array<std::string_view, 4> names{"lines", "points", "bars", "steps"};
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) {
      blame(fmt::format("the kind of the figure is \"{}\" and not lines, points, bars or steps",
                        name));
      return DescribedFigure::Kind::Lines;
    }
    return static_cast<DescribedFigure::Kind>(at - names.begin());
  }

  std::size_t column(std::string_view key, const std::string& name) {
    const auto at = std::find(table_.columns.begin(), table_.columns.end(), name);
    if (at == table_.columns.end()) {
      blame(fmt::format("\"{}\" of the figure names the column \"{}\", which is not in the table",
                        key, name));
      return 0;
    }
    return static_cast<std::size_t>(at - table_.columns.begin());
  }

  std::vector<std::size_t> columns(const char* key) {
    std::vector<std::size_t> places;
    const auto at = json_.find(key);
    if (at == json_.end()) return places;
    if (!at->is_array()) blame(fmt::format("\"{}\" of the figure is not a list", key));
    for (const Json& name : *at) {
      if (name.is_string())
        places.push_back(column(key, name.get<std::string>()));
      else
        blame(fmt::format("\"{}\" of the figure names something that is not a text", key));
    }
    return places;
  }

  void readWhere(DescribedFigure& figure) {
    const auto at = json_.find("where");
    if (at == json_.end()) return;
    if (!at->is_object()) return blame("\"where\" of the figure is not an object");
    for (const auto& item : at->items()) {
      if (!item.value().is_string())
        return blame(fmt::format("\"where\" of the figure has no text for \"{}\"", item.key()));
      figure.where.emplace_back(column("where", item.key()),
                                alternativesIn(item.value().get<std::string>()));
    }
  }

  const RecordTable& table_;
  const HeadLine& line_;
  Json json_;
  std::optional<std::string> complaint_;
};

/// The figures of a stored measurement; see describedFigures().
class MeasuredFigures {
 public:
  MeasuredFigures(const RecordTable& table, std::string_view values) : table_(table) {
    std::vector<std::vector<std::size_t>> axes{{}};
    for (std::size_t from = 0; from < values.size();) {
      const std::size_t end = std::min(values.find_first_of(",;", from), values.size());
      if (const auto column = columnOf(values.substr(from, end - from)))
        axes.back().push_back(*column);
      if (end < values.size() && values[end] == ';') axes.emplace_back();
      from = end + 1;
    }
    for (const auto& axis : axes) measured_.insert(measured_.end(), axis.begin(), axis.end());
    for (const auto& axis : axes)
      if (!axis.empty()) add(axis);
  }

  std::vector<DescribedFigure> figures;

 private:
  [[nodiscard]] std::optional<std::size_t> columnOf(std::string_view name) const {
    const std::size_t first = std::min(name.find_first_not_of(' '), name.size());
    name.remove_prefix(first);
    name = name.substr(0, name.find_last_not_of(' ') + 1);
    const auto at = std::ranges::find(table_.columns, name);
    if (at == table_.columns.end()) return std::nullopt;
    return static_cast<std::size_t>(at - table_.columns.begin());
  }

  void add(const std::vector<std::size_t>& axis) {
    const auto along = columnOf(saidIn(table_.head, "x")), unit = columnOf("unit");
    DescribedFigure figure;
    figure.y = axis;
    figure.kind = along ? DescribedFigure::Kind::Lines : DescribedFigure::Kind::Bars;
    for (std::size_t column = 0; column < table_.columns.size(); ++column)
      if (std::ranges::find(measured_, column) == measured_.end() && column != along &&
          column != unit)
        (along ? figure.by : figure.x).push_back(column);
    if (along) figure.x = {*along};
    for (const std::size_t column : axis)
      figure.yLabel += (figure.yLabel.empty() ? "" : ", ") + table_.columns[column];
    figure.title = figure.yLabel;
    if (along) figure.xLabel = table_.columns[*along];
    if (along) figure.logX = wide({*along});
    figure.logY = along && wide(axis);
    std::vector<std::string> units{""};
    for (std::size_t row = 0; unit && row < table_.rows(); ++row)
      if (std::ranges::find(units, table_.cell(row, *unit)) == units.end())
        units.push_back(table_.cell(row, *unit));
    if (!unit) return figures.push_back(std::move(figure));
    for (std::size_t i = 1; i < units.size(); ++i) {
      figure.title = figure.yLabel = units[i];
      figure.where = {{*unit, {units[i]}}};
      figures.push_back(figure);
    }
  }

  /// Returns true if the columns are positive and span two decades.
  [[nodiscard]] bool wide(const std::vector<std::size_t>& columns) const {
    double low = std::numeric_limits<double>::infinity(), high = 0.0;
    for (std::size_t row = 0; row < table_.rows(); ++row)
      for (const std::size_t column : columns)
        if (const auto value = measuredIn(table_.cell(row, column))) {
          low = std::min(low, *value);
          high = std::max(high, *value);
        }
    return low > 0.0 && high >= 100.0 * low;
  }

  const RecordTable& table_;
  std::vector<std::size_t> measured_;
};

}  // namespace

std::vector<std::string> alternativesIn(std::string_view text) {
  std::vector<std::string> alternatives;
  for (std::size_t bar; (bar = text.find('|')) != std::string_view::npos;
       text.remove_prefix(bar + 1))
    alternatives.emplace_back(text.substr(0, bar));
  alternatives.emplace_back(text);
  return alternatives;
}

std::optional<double> measuredIn(std::string_view cell) {
  const std::size_t slash = cell.find('/');
  if (slash == std::string_view::npos) return numberIn(cell);
  const auto above = numberIn(cell.substr(0, slash)), below = numberIn(cell.substr(slash + 1));
  if (!above || !below || *below == 0.0) return std::nullopt;
  return *above / *below;
}

Result<std::vector<DescribedFigure>> describedFigures(const RecordTable& table) {
  std::vector<DescribedFigure> figures;
  for (const HeadLine& line : table.head) {
    if (line.key != "figure") continue;
    auto figure = FigureReader(table, line).read();
    if (!figure) return figure.error();
    figures.push_back(*std::move(figure));
  }
  const std::string_view values = saidIn(table.head, "values");
  if (figures.empty() && !values.empty()) return MeasuredFigures(table, values).figures;
  return figures;
}

}  // namespace nearmiss::app::report
