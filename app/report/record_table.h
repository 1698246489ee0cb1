// SPDX-License-Identifier: MIT
/// A whole table with a record head, as the experiments of the lab write them.
#pragma once

#include "report/record_reader.h"

namespace nearmiss::app {

struct RecordTable {
  std::filesystem::path file;
  std::vector<HeadLine> head;
  std::vector<std::string> columns;
  std::vector<std::string> cells;     ///< row by row
  std::vector<std::size_t> rowLines;  ///< in the file, from 1
  bool cutShort = false;              ///< its last line was not whole, and is left out

  [[nodiscard]] std::size_t rows() const noexcept { return rowLines.size(); }
  [[nodiscard]] const std::string& cell(std::size_t row, std::size_t column) const {
    return cells[row * columns.size() + column];
  }
  /// As the head's `# columns:` has it; empty where it does not say.
  [[nodiscard]] std::string_view meaningOf(std::string_view column) const noexcept;
};

/// Reads the rows. Errors: BadFormat for a row of other length; Unreadable.
[[nodiscard]] Result<RecordTable> readTable(RecordReader reader);

}  // namespace nearmiss::app
