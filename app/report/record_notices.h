// SPDX-License-Identifier: MIT
/// Sentences on what a reader of a record has to know before believing its numbers.
#pragma once

#include <optional>
#include <string>

#include "report/record_reader.h"

namespace nearmiss::app {

/// Where the machine had more to do than it has cores.
[[nodiscard]] std::optional<std::string> busyNotice(std::string_view name,
                                                    std::span<const HeadLine> head);

/// Where the file ended within a line.
[[nodiscard]] std::optional<std::string> cutNotice(std::string_view name, bool cutShort,
                                                   std::size_t rows);

/// Why times of the two runs cannot be compared, with each key and both values; nothing where they
/// can. What a head does not say is "unknown".
[[nodiscard]] std::optional<std::string> whyNotComparable(std::string_view nameA,
                                                          std::span<const HeadLine> a,
                                                          std::string_view nameB,
                                                          std::span<const HeadLine> b);

}  // namespace nearmiss::app
