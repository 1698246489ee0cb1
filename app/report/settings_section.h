// SPDX-License-Identifier: MIT
/// What ran, on what, with which settings: the heads of records side by side.
#pragma once

#include <string>

#include "report/record_reader.h"

namespace nearmiss::app {

struct NamedHead {
  std::string name;
  std::span<const HeadLine> head;
};

/// Each key but figures, notes and columns: those that differ with a column for each record, and
/// those that are the same in all.
[[nodiscard]] std::string settingsHtml(std::span<const NamedHead> records);

}  // namespace nearmiss::app
