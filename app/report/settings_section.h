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

/// A row for each key but the figures, notes and columns, and a column for each record.
[[nodiscard]] std::string settingsHtml(std::span<const NamedHead> records);

}  // namespace nearmiss::app
