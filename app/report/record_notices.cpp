// SPDX-License-Identifier: MIT
#include "report/record_notices.h"

#include <fmt/format.h>

#include <array>

namespace nearmiss::app {
namespace {

/// What must be the same for times to mean the same.
constexpr std::array<std::string_view, 5> decisiveKeys{"format", "build", "flags", "cpu", "clock"};

std::string_view known(std::string_view said) { return said.empty() ? "unknown" : said; }

}  // namespace

std::optional<std::string> busyNotice(std::string_view name, std::span<const HeadLine> head) {
  const auto load = numberIn(saidIn(head, "load")), cores = numberIn(saidIn(head, "cores"));
  if (!load || !cores || *load <= *cores) return std::nullopt;
  return fmt::format(
      "The machine of \"{}\" was busy before it began: a load of {} on {} cores. Its times may be "
      "too long.",
      name, *load, *cores);
}

std::optional<std::string> cutNotice(std::string_view name, bool cutShort, std::size_t rows) {
  if (!cutShort) return std::nullopt;
  return fmt::format(
      "\"{}\" ends within a line: that line is left out, and the {} whole rows before it are used.",
      name, rows);
}

std::optional<std::string> whyNotComparable(std::string_view nameA, std::span<const HeadLine> a,
                                            std::string_view nameB, std::span<const HeadLine> b) {
  std::string differences;
  for (const std::string_view key : decisiveKeys) {
    const std::string_view ofA = known(saidIn(a, key)), ofB = known(saidIn(b, key));
    if (ofA == ofB) continue;
    differences += fmt::format("{}{} is \"{}\" in one and \"{}\" in the other",
                               differences.empty() ? "" : "; ", key, ofA, ofB);
  }
  if (differences.empty()) return std::nullopt;
  return fmt::format("Times of \"{}\" and \"{}\" are not compared: {}.", nameA, nameB, differences);
}

}  // namespace nearmiss::app
