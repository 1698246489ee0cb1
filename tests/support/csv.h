// SPDX-License-Identifier: MIT
/// Tables that the program writes, read back.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace nearmiss::test {

/// Lines and their cells, quotes left alone; without the head, whose lines begin with '#'.
inline std::vector<std::vector<std::string>> cellsOf(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream stream(csv);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    if (line.ends_with(',')) rows.back().emplace_back();
  }
  return rows;
}

/// Rows below a heading, looked up by the names of columns.
class Table {
 public:
  explicit Table(const std::string& csv) : cells_(cellsOf(csv)) {
    for (std::size_t c = 0; !cells_.empty() && c < cells_[0].size(); ++c)
      columns_[cells_[0][c]] = c;
    for (const auto& row : cells_) EXPECT_EQ(row.size(), columns_.size());
  }
  [[nodiscard]] std::size_t rows() const { return cells_.empty() ? 0 : cells_.size() - 1; }
  [[nodiscard]] const std::string& text(std::size_t row, const std::string& column) const {
    return cells_.at(row + 1).at(columns_.at(column));
  }
  [[nodiscard]] double number(std::size_t row, const std::string& column) const {
    return std::stod(text(row, column));
  }

 private:
  std::vector<std::vector<std::string>> cells_;
  std::map<std::string, std::size_t> columns_;
};

inline std::size_t countOf(const std::string& word, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++count;
  return count;
}

}  // namespace nearmiss::test
