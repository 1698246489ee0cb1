// SPDX-License-Identifier: MIT
/// What verdicts on tables share: rows by their texts, numbers of a column, and the outcome.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/verdicts.h"

namespace nearmiss::app::lab {

using Rows = std::vector<const TableRow*>;
using Verdicts = std::vector<PaperVerdict>;

/// The rows of a table with these texts in these columns.
inline Rows rowsWhere(const Table& table,
                      std::initializer_list<std::pair<std::string_view, std::string_view>> are) {
  Rows found;
  for (const TableRow& row : table.rows)
    if (std::ranges::all_of(are,
                            [&](const auto& is) { return table.text(row, is.first) == is.second; }))
      found.push_back(&row);
  return found;
}

/// The numbers of one column.
inline std::vector<double> numbersIn(const Table& table, const Rows& rows,
                                     std::string_view column) {
  std::vector<double> numbers;
  for (const TableRow* row : rows)
    if (const double number = table.number(*row, column); std::isfinite(number))
      numbers.push_back(number);
  return numbers;
}

inline Reproduction verdictOf(bool reproduced, bool ahead) {
  if (!reproduced) return Reproduction::NotReproduced;
  return ahead ? Reproduction::Ahead : Reproduction::Reproduced;
}

}  // namespace nearmiss::app::lab
