// SPDX-License-Identifier: MIT
#include "report/page.h"

#include <fmt/format.h>

#include <iterator>

#include "lab/figure/svg.h"
#include "report/html.h"
#include "report/page_style.h"
#include "report/series_style.h"

namespace nearmiss::app {

std::string pageHtml(const Page& page) {
  const std::string title = svgText(page.title);
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{0}</title>\n<style>{1}{2}</style>\n</head>\n<body>\n{3}<header>\n<h1>{0}</h1>\n",
      title, pageStyle, seriesStyleSheet(), hatchings());
  if (!page.notices.empty())
    text += fmt::format(
        "<aside class=\"notices\"><p><strong>Read this first</strong></p>\n{}</aside>\n",
        listHtml(page.notices));
  text += "</header>\n<nav aria-label=\"Contents\"><h2>Contents</h2>\n<ol>\n";
  for (std::size_t i = 0; i < page.sections.size(); ++i)
    fmt::format_to(std::back_inserter(text), "<li><a href=\"#section-{}\">{}</a>{}</li>\n", i + 1,
                   svgText(page.sections[i].title),
                   page.sections[i].missing ? " <span class=\"missing\">missing</span>" : "");
  text += "</ol></nav>\n<main>\n";
  for (std::size_t i = 0; i < page.sections.size(); ++i)
    fmt::format_to(std::back_inserter(text),
                   "<section id=\"section-{}\">\n<h2>{}</h2>\n{}</section>\n", i + 1,
                   svgText(page.sections[i].title), page.sections[i].html);
  return text + "</main>\n</body>\n</html>\n";
}

}  // namespace nearmiss::app
