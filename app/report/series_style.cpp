// SPDX-License-Identifier: MIT
#include "report/series_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/html.h"

namespace nearmiss::app::report {
namespace {

constexpr std::array<std::string_view, 5> dashes{"none", "7 3", "2 3", "9 3 2 3", "4 2 1 2 1 2"};

/// The Okabe-Ito colours, which are safe for colour vision deficiencies, by descending contrast.
/// The last series has the colour of text.
constexpr std::array<std::string_view, seriesColours - 1> colours{
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#f0e442"};

/// One rule per line. The page defines --text, --soft, --page and --grid; each series defines its
/// --c.
constexpr std::string_view plotStyle =
    R"css(.plot text{fill:var(--soft);font-family:system-ui,sans-serif}
.grid{stroke:var(--grid);fill:none}
.axis{stroke:var(--soft);fill:none}
.line{stroke:var(--c);stroke-width:1.8;fill:none;stroke-linejoin:round}
.published.line,.published.bar{stroke-dasharray:4 3}
.mark{fill:var(--c);stroke:var(--page);stroke-width:.7}
.hollow{fill:var(--page);stroke:var(--c);stroke-width:1.6}
.mark:hover,.hollow:hover{stroke:var(--text);stroke-width:2}
.bar{stroke:var(--c);stroke-width:1;pointer-events:all}
.classes{fill-opacity:.6}
.bar:hover{stroke:var(--text);stroke-width:2}
.full{fill:var(--c);fill-opacity:.85}
.pale{fill:var(--c);fill-opacity:.25}
.hatch{stroke:var(--c);stroke-width:1.6;fill:none}
.hatchings{position:absolute}
.range{stroke:var(--c);stroke-opacity:.4;fill:none}
.swatch .range{fill:var(--c);fill-opacity:.4;stroke:none}
.whisker{stroke:var(--text);fill:none;stroke-width:1.2}
.target{fill:transparent;stroke:transparent;pointer-events:all}
.target:hover{stroke:var(--soft);stroke-opacity:.6}
.rule{stroke:var(--text);fill:none;stroke-width:1.3}
.r0{stroke-dasharray:5 4}.r1{stroke-dasharray:1 3}.r2{stroke-dasharray:8 3 2 3}.r3{stroke-dasharray:12 4}
)css";

void replaceAll(std::string& text, std::string_view word, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += by.size())
    text.replace(at, word.size(), by);
}

std::string_view colourAt(std::size_t style) {
  return style < colours.size() ? colours[style] : "var(--text)";
}

std::size_t colourOf(const PlotSeries& series) { return series.style % seriesColours; }

std::string hatching(std::size_t index) {
  // Filled, lines in four directions, dots, and two grids
  constexpr std::array<std::string_view, seriesColours> lines{"",
                                                              "M0 8L8 0M-2 2L2 -2M6 10L10 6",
                                                              "M0 0L8 8M-2 6L2 10M6 -2L10 2",
                                                              "M0 2H8M0 6H8",
                                                              "M2 0V8M6 0V8",
                                                              "M0 4H8M4 0V8",
                                                              "M2 2h2v2h-2zM6 6h2v2h-2z",
                                                              "M0 0L8 8M0 8L8 0"};
  return fmt::format(
      "<pattern id=\"hatch{0}\" class=\"s{0}\" width=\"8\" height=\"8\" "
      "patternUnits=\"userSpaceOnUse\"><rect class=\"{1}\" width=\"8\" height=\"8\"/>"
      "<path class=\"hatch\" d=\"{2}\"/></pattern>",
      index, index == 0 ? "full" : "pale", lines[index]);
}

}  // namespace

std::string lineClasses(const PlotSeries& series) {
  if (series.published) return fmt::format("line s{} published", colourOf(series));
  return fmt::format("line s{} d{}", colourOf(series), series.style % dashes.size());
}

bool hasMarks(const PlotSeries& series) noexcept {
  return series.mark == PlotMark::Dots ||
         (series.mark == PlotMark::Line && series.points.size() <= maxMarks);
}

std::string markClasses(const PlotSeries& series) {
  return fmt::format("{} s{}", series.published ? "hollow" : "mark", colourOf(series));
}

std::string markPath(const PlotSeries& series, double x, double y, double radius) {
  const double r = radius;
  switch (series.style % 6) {
    case 0:
      return fmt::format(
          "M{:.1f} {:.1f}a{r:.1f} {r:.1f} 0 1 0 {d:.1f} 0a{r:.1f} {r:.1f} 0 1 0 {m:.1f} 0z", x - r,
          y, fmt::arg("r", r), fmt::arg("d", 2.0 * r), fmt::arg("m", -2.0 * r));
    case 1:
      return fmt::format("M{:.1f} {:.1f}h{d:.1f}v{d:.1f}h-{d:.1f}z", x - 0.9 * r, y - 0.9 * r,
                         fmt::arg("d", 1.8 * r));
    case 2:
      return fmt::format("M{:.1f} {:.1f}l{:.1f} {h:.1f}h-{:.1f}z", x, y - 1.2 * r, 1.15 * r,
                         2.3 * r, fmt::arg("h", 2.1 * r));
    case 3:
      return fmt::format("M{:.1f} {:.1f}l{r:.1f} {r:.1f}l-{r:.1f} {r:.1f}l-{r:.1f} -{r:.1f}z", x,
                         y - 1.3 * r, fmt::arg("r", 1.3 * r));
    case 4:
      return fmt::format("M{:.1f} {:.1f}l{:.1f} -{h:.1f}h-{:.1f}z", x, y + 1.2 * r, 1.15 * r,
                         2.3 * r, fmt::arg("h", 2.1 * r));
    default:
      return fmt::format(
          "M{:.1f} "
          "{:.1f}h{a:.1f}v{a:.1f}h{b:.1f}v{b:.1f}h-{b:.1f}v{a:.1f}h-{b:.1f}v-{a:.1f}h-{a:.1f}v-{b:."
          "1f}h{a:.1f}z",
          x - 0.4 * r, y - 1.2 * r, fmt::arg("a", 0.8 * r), fmt::arg("b", 0.8 * r));
  }
}

std::string barFill(const PlotSeries& series) {
  if (series.published)
    return fmt::format("class=\"bar published s{}\" fill=\"none\"", colourOf(series));
  // Histogram bars are translucent, so that rules stay visible
  const char* pale = series.mark == PlotMark::Classes ? " classes" : "";
  return fmt::format("class=\"bar{1} s{0}\" fill=\"url(#hatch{0})\"", colourOf(series), pale);
}

std::string seriesStyleSheet() {
  std::string sheet(plotStyle);
  for (std::size_t i = 0; i < seriesColours; ++i)
    sheet += fmt::format(".s{}{{--c:{}}}\n", i, colourAt(i));
  for (std::size_t i = 0; i < dashes.size(); ++i)
    sheet += fmt::format(".d{}{{stroke-dasharray:{}}}\n", i, dashes[i]);
  return sheet;
}

std::string plainStyleSheet() {
  std::string sheet;
  std::string_view rest = plotStyle;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n') + 1, rest.size());
    const std::string rule(rest.substr(0, end));
    rest.remove_prefix(end);
    const std::string selector = rule.substr(0, rule.find('{'));
    const std::string body = rule.substr(selector.size());
    const bool coloured = body.find("var(--c)") != std::string::npos;
    for (std::size_t i = 0; i < (coloured ? seriesColours : 1); ++i) {
      std::string own = coloured ? fmt::format("{0}.s{1},.s{1} {0}{2}", selector, i, body) : rule;
      replaceAll(own, "var(--c)", colourAt(i));
      sheet += own;
    }
  }
  for (std::size_t i = 0; i < dashes.size(); ++i)
    sheet += fmt::format(".d{}{{stroke-dasharray:{}}}\n", i, dashes[i]);
  constexpr std::array<std::array<std::string_view, 2>, 4> light{{{"var(--text)", "#1a1d21"},
                                                                  {"var(--soft)", "#565d66"},
                                                                  {"var(--page)", "#ffffff"},
                                                                  {"var(--grid)", "#e3e6ea"}}};
  for (const auto& [variable, colour] : light) replaceAll(sheet, variable, colour);
  return sheet;
}

std::string hatchings() {
  std::string text =
      "<svg class=\"hatchings\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>";
  for (std::size_t i = 0; i < seriesColours; ++i) text += hatching(i);
  return text + "</defs></svg>\n";
}

std::string swatch(const PlotSeries& series) {
  std::string drawing;
  if (series.mark == PlotMark::Bars || series.mark == PlotMark::Classes) {
    drawing = fmt::format("<rect x=\"5\" y=\"1\" width=\"18\" height=\"11\" {}/>", barFill(series));
  } else if (series.mark == PlotMark::Range) {
    drawing = fmt::format("<rect class=\"range s{}\" x=\"2\" y=\"2\" width=\"24\" height=\"9\"/>",
                          colourOf(series));
  } else {
    if (series.mark != PlotMark::Dots)
      drawing += fmt::format("<path class=\"{}\" d=\"M0 6.5H28\"/>", lineClasses(series));
    if (hasMarks(series))
      drawing += fmt::format("<path class=\"{}\" d=\"{}\"/>", markClasses(series),
                             markPath(series, 14.0, 6.5, 3.5));
  }
  return fmt::format(
      "<svg class=\"swatch\" width=\"28\" height=\"13\" aria-hidden=\"true\">{}</svg>", drawing);
}

std::string ruleClasses(std::size_t index) { return fmt::format("rule r{}", index % 4); }

std::string ruleSwatch(std::size_t index) {
  return fmt::format(
      "<svg class=\"swatch\" width=\"28\" height=\"13\" aria-hidden=\"true\"><path class=\"{}\" "
      "d=\"M0 6.5H28\"/></svg>",
      ruleClasses(index));
}

}  // namespace nearmiss::app::report
