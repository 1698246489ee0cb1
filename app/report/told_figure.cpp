// SPDX-License-Identifier: MIT
#include "report/told_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

namespace nearmiss::app {
namespace {

using Json = nlohmann::json;

/// Reads one line; keeps the first thing that is wrong with it.
class FigureReader {
 public:
  FigureReader(const RecordTable& table, const HeadLine& line) : table_(table), line_(line) {}

  Result<ToldFigure> read() {
    json_ = Json::parse(line_.value, nullptr, false);
    if (!json_.is_object()) return fault("the figure is not a JSON object");
    checkKeys();
    ToldFigure figure;
    figure.title = text("title");
    figure.says = text("says");
    figure.kind = kind();
    figure.x = column("x", text("x"));
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

  ToldFigure::Kind kind() {
    const std::string name = text("kind");
    constexpr std::array<std::string_view, 4> names{"lines", "points", "bars", "steps"};
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) {
      blame(fmt::format("the kind of the figure is \"{}\" and not lines, points, bars or steps",
                        name));
      return ToldFigure::Kind::Lines;
    }
    return static_cast<ToldFigure::Kind>(at - names.begin());
  }

  std::size_t column(std::string_view key, const std::string& name) {
    const auto at = std::find(table_.columns.begin(), table_.columns.end(), name);
    if (at == table_.columns.end()) {
      blame(fmt::format("\"{}\" of the figure names the column \"{}\", which the table has not",
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

  void readWhere(ToldFigure& figure) {
    const auto at = json_.find("where");
    if (at == json_.end()) return;
    if (!at->is_object()) return blame("\"where\" of the figure is not an object");
    for (const auto& item : at->items()) {
      if (!item.value().is_string())
        return blame(fmt::format("\"where\" of the figure has no text for \"{}\"", item.key()));
      std::vector<std::string> allowed;
      std::string rest = item.value().get<std::string>();
      for (std::size_t bar; (bar = rest.find('|')) != std::string::npos; rest.erase(0, bar + 1))
        allowed.push_back(rest.substr(0, bar));
      allowed.push_back(rest);
      figure.where.emplace_back(column("where", item.key()), std::move(allowed));
    }
  }

  const RecordTable& table_;
  const HeadLine& line_;
  Json json_;
  std::optional<std::string> complaint_;
};

}  // namespace

Result<std::vector<ToldFigure>> toldFigures(const RecordTable& table) {
  std::vector<ToldFigure> figures;
  for (const HeadLine& line : table.head) {
    if (line.key != "figure") continue;
    auto figure = FigureReader(table, line).read();
    if (!figure) return figure.error();
    figures.push_back(*std::move(figure));
  }
  return figures;
}

}  // namespace nearmiss::app
