// SPDX-License-Identifier: MIT
/// A table with one quantity in each row, written to a file and printed as it grows.
#pragma once

#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

namespace nearmiss::bench {

class QuantityTable {
 public:
  /// Creates the folder of the file if there is none.
  /// @param head comments and the names of the columns, each line with its end
  QuantityTable(const std::filesystem::path& file, const std::string& head) {
    std::error_code failed;
    std::filesystem::create_directories(file.parent_path(), failed);
    csv_.open(file);
    if (!csv_) fmt::print(stderr, "nearmiss-lab: cannot write \"{}\"\n", file.string());
    csv_ << engine::headText(engine::machineHead(engine::commitName())) << head;
  }

  /// Adds a row: the columns before the value, the value, and those behind it.
  void add(const std::vector<std::string>& before, double value,
           const std::vector<std::string>& behind = {}) {
    std::vector<std::string> row = before;
    row.push_back(fmt::format("{:.4g}", value));
    row.insert(row.end(), behind.begin(), behind.end());
    csv_ << fmt::format("{}\n", fmt::join(row, ","));
    csv_.flush();
    for (const std::string& cell : row) fmt::print("{:<16} ", cell);
    fmt::print("\n");
    std::fflush(stdout);
  }

  /// Returns true if everything was written.
  [[nodiscard]] bool good() {
    csv_.close();
    return static_cast<bool>(csv_);
  }

 private:
  std::ofstream csv_;
};

}  // namespace nearmiss::bench
