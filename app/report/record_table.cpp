// SPDX-License-Identifier: MIT
#include "report/record_table.h"

#include <algorithm>

namespace nearmiss::app {

std::string_view RecordTable::meaningOf(std::string_view column) const noexcept {
  // "name: meaning; name: meaning", where a meaning may hold colons as well
  std::string_view rest = saidIn(head, "columns");
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find("; "), rest.size());
    const std::string_view part = rest.substr(0, end);
    if (part.starts_with(column) && part.substr(column.size()).starts_with(": "))
      return part.substr(column.size() + 2);
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  return {};
}

Result<RecordTable> readTable(RecordReader reader) {
  RecordTable table;
  table.file = reader.file();
  table.head = reader.head();
  table.columns = reader.columns();
  for (;;) {
    const auto more = reader.next();
    if (!more) return more.error();
    if (!*more) break;
    table.cells.insert(table.cells.end(), reader.cells().begin(), reader.cells().end());
    table.rowLines.push_back(reader.line());
  }
  table.cutShort = reader.cutShort();
  return table;
}

}  // namespace nearmiss::app
