// SPDX-License-Identifier: MIT
#include "report/report.h"

#include <fmt/format.h>

#include <iterator>

#include "lab/figure/svg.h"

namespace nearmiss::app {

Result<std::string> makeReport(std::span<const std::filesystem::path> runs,
                               const ReportSettings& settings, std::vector<std::string>&) {
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}"
      "</title></head><body><h1>{0}</h1>\n",
      svgText(settings.title));
  for (const std::filesystem::path& run : runs)
    fmt::format_to(std::back_inserter(page), "<p>{}</p>\n", svgText(run.string()));
  for (const ExpectedExperiment& each : settings.expected)
    fmt::format_to(std::back_inserter(page), "<h2>{}</h2>\n", svgText(each.title));
  return page + "</body></html>\n";
}

}  // namespace nearmiss::app
