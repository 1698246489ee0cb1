// SPDX-License-Identifier: MIT
/// How a table is to be drawn, as its head tells: `# figure: {JSON}` (docs/file-formats.md).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/record_table.h"

namespace nearmiss::app {

struct ToldFigure {
  enum class Kind { Lines, Points, Bars, Steps };

  std::string title, says, xLabel, yLabel;
  Kind kind = Kind::Lines;
  bool logX = false, logY = false;
  std::size_t x = 0;               ///< column
  std::vector<std::size_t> y, by;  ///< columns
  /// Only rows whose cell in the column is one of the texts.
  std::vector<std::pair<std::size_t, std::vector<std::string>>> where;
};

/// In the order of the head. Errors: BadFormat for JSON that does not parse, for a key, kind or
/// column that is not known, and for a value of the wrong type.
[[nodiscard]] Result<std::vector<ToldFigure>> toldFigures(const RecordTable& table);

}  // namespace nearmiss::app
