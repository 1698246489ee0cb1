// SPDX-License-Identifier: MIT
#include "report/plot.h"

#include <fmt/format.h>

#include "lab/figure/svg.h"
#include "report/html.h"
#include "report/plot_data.h"
#include "report/plot_drawing.h"
#include "report/series_style.h"

namespace nearmiss::app {
namespace {

std::string legend(const Plot& plot) {
  // A single series is what the caption and the axis say
  if (plot.series.size() + plot.rules.size() < 2 && !plot.series.front().published) return {};
  std::string text = "<ul class=\"legend\">";
  for (const PlotSeries& series : plot.series)
    text += fmt::format("<li>{}{}{}</li>", swatch(series), svgText(series.name),
                        series.published ? " (published)" : "");
  for (std::size_t i = 0; i < plot.rules.size(); ++i)
    text += fmt::format("<li>{}{}</li>", ruleSwatch(i), svgText(plot.rules[i].name));
  return text + "</ul>\n";
}

std::string caption(const Plot& plot) {
  std::string text = plot.says;
  if (!text.empty() && !text.ends_with('.')) text += '.';
  if (const std::size_t hidden = hiddenPoints(plot); hidden > 0)
    text += fmt::format(
        " {} {} no place on these axes, being infinite or not above 0 on a logarithmic one; the "
        "table has {}.",
        hidden, hidden == 1 ? "value has" : "values have", hidden == 1 ? "it" : "them");
  return text;
}

}  // namespace

std::string figureHtml(const Plot& plot) {
  std::string text = fmt::format("<figure{}>\n<h4>{}</h4>\n", plot.wide ? " class=\"wide\"" : "",
                                 svgText(plot.title));
  if (plot.series.empty()) {
    text += "<p class=\"missing\">There is nothing to draw.</p>\n";
  } else {
    // Scaled to a phone's width, the labels of the wide picture would be too small
    text += fmt::format("<div class=\"for-wide\">{}</div>\n<div class=\"for-narrow\">{}</div>\n",
                        plot.wide ? drawPlot(plot, 960.0, 300.0) : drawPlot(plot, 464.0, 290.0),
                        drawPlot(plot, 320.0, 250.0));
    text += legend(plot);
  }
  text += "<figcaption>" + paragraphHtml(caption(plot));
  if (!plot.series.empty()) text += foldedHtml("Data of this plot", tableHtml(dataOf(plot)));
  return text + "</figcaption></figure>\n";
}

}  // namespace nearmiss::app
