// SPDX-License-Identifier: MIT
#include "report/series_style.h"

#include <fmt/format.h>

#include <array>

#include "lab/figure/svg.h"

namespace nearmiss::app {
namespace {

constexpr std::array<std::string_view, 5> dashes{"none", "7 3", "2 3", "9 3 2 3", "4 2 1 2 1 2"};

/// Of figureColour(), the ones of Okabe and Ito with most contrast first; the last is the text's.
constexpr std::array<std::size_t, seriesColours - 1> colours{1, 6, 3, 4, 5, 2, 7};

std::size_t colourOf(const PlotSeries& series) { return series.style % seriesColours; }

std::string hatching(std::size_t index) {
  // Full, lines in four directions, dots, and two grids
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
         (series.mark == PlotMark::Line && series.points.size() <= mostMarks);
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
  // Rules are seen through the classes of a histogram
  const char* pale = series.mark == PlotMark::Classes ? " classes" : "";
  return fmt::format("class=\"bar{1} s{0}\" fill=\"url(#hatch{0})\"", colourOf(series), pale);
}

std::string seriesStyleSheet() {
  std::string sheet;
  for (std::size_t i = 0; i < colours.size(); ++i)
    sheet += fmt::format(".s{}{{--c:{}}}\n", i, figureColour(colours[i]));
  sheet += fmt::format(".s{}{{--c:var(--text)}}\n", seriesColours - 1);
  for (std::size_t i = 0; i < dashes.size(); ++i)
    sheet += fmt::format(".d{}{{stroke-dasharray:{}}}\n", i, dashes[i]);
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

}  // namespace nearmiss::app
