// SPDX-License-Identifier: MIT
/// Records (docs/file-formats.md, "Records"): which files a report is made of, how they are read
/// row by row, and what a reader has to know before believing their numbers.
#pragma once

#include <nearmiss/result.h>

#include <cstddef>
#include <filesystem>
#include <istream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app::report {

enum class RecordKind { Profile, PairCalls, Table };

/// One line of the head, `# key: value`, and its number from 1.
struct HeadLine {
  std::string key, value;
  std::size_t line = 0;
};

/// The value of the first line with that key; empty without one.
[[nodiscard]] std::string_view saidIn(std::span<const HeadLine> head,
                                      std::string_view key) noexcept;

class RecordReader {
 public:
  /// Reads the head and the names of the columns. Of a table's JSON lines are counted as in its
  /// CSV. Errors: Unreadable; Unsupported for a file that is no record, an empty one included;
  /// WrongVersion, BadFormat.
  static Result<RecordReader> open(const std::filesystem::path& file);

  [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }
  [[nodiscard]] const std::vector<HeadLine>& head() const noexcept { return head_; }
  [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return columns_; }
  /// By its head and the names of its columns.
  [[nodiscard]] RecordKind kind() const noexcept;
  /// The places of columns. Errors: BadFormat, with the names of all that are missing.
  [[nodiscard]] Result<std::vector<std::size_t>> find(
      std::span<const std::string_view> names) const;

  /// Goes to the next row; false at the end. Errors: BadFormat, Unreadable.
  Result<bool> next();
  [[nodiscard]] const std::vector<std::string_view>& cells() const noexcept { return cells_; }
  /// A cell of this row as a number, infinite ones included. Errors: BadFormat.
  [[nodiscard]] Result<double> number(std::size_t column) const;
  /// The same, neither infinite nor not a number.
  [[nodiscard]] Result<double> finite(std::size_t column) const;
  /// As number(), and nothing for an empty cell.
  [[nodiscard]] Result<std::optional<double>> numberIfAny(std::size_t column) const;
  [[nodiscard]] std::size_t line() const noexcept { return line_; }
  /// True if the file ended within a line, which was left out.
  [[nodiscard]] bool cutShort() const noexcept { return cutShort_; }

 private:
  RecordReader(std::filesystem::path file, std::unique_ptr<std::istream> stream);
  enum class Line { Whole, Cut, End, TooLong, Failed };
  Line readLine();
  [[nodiscard]] Error fault(std::string_view what) const;
  Result<Success> readHead();
  Result<Success> checkFormat() const;
  Result<Success> nameColumns();
  void split();

  std::filesystem::path file_;
  std::unique_ptr<std::istream> stream_;
  std::vector<char> buffer_;
  std::string_view text_;  ///< of the line, in buffer_
  std::size_t line_ = 0;   ///< from 1
  std::size_t namesLine_ = 0;
  std::vector<HeadLine> head_;
  std::vector<std::string> columns_;
  std::vector<std::string_view> cells_;
  bool cutShort_ = false;
};

/// A whole text as a number.
[[nodiscard]] std::optional<double> numberIn(std::string_view text) noexcept;

/// A whole table with a record head, as the experiments of the lab write them.
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
  /// As the head's `# columns:` has it, with its unit; empty where it does not say.
  [[nodiscard]] std::string meaningOf(std::string_view column) const;
};

/// Reads the rows. Errors: BadFormat for a row of other length; Unreadable.
[[nodiscard]] Result<RecordTable> readTable(RecordReader reader);

/// A file that a report is made of.
struct RecordPath {
  std::filesystem::path file;
  bool fromFolder = false;  ///< found, not named: other files may be left out
};

/// The files named, and of a folder its *.csv by name. Errors: Unreadable for a folder that cannot
/// be read or holds none; Mismatch for a file that is there twice.
[[nodiscard]] Result<std::vector<RecordPath>> recordFiles(
    std::span<const std::filesystem::path> runs);

/// Records of machines that had more to do than they have cores, one sentence for all of them.
class BusyMachines {
 public:
  void add(std::string_view name, std::span<const HeadLine> head);
  /// Nothing where no machine was busy.
  [[nodiscard]] std::optional<std::string> notice() const;

 private:
  std::vector<std::string> names_;
  double minLoad_ = 0.0, maxLoad_ = 0.0, minCores_ = 0.0, maxCores_ = 0.0;
};

/// Where the file ended within a line.
[[nodiscard]] std::optional<std::string> cutNotice(std::string_view name, bool cutShort,
                                                   std::size_t rows);

/// Why times of the two runs cannot be compared, with each key and both values; nothing where they
/// can. What a head does not say is "unknown".
[[nodiscard]] std::optional<std::string> whyNotComparable(std::string_view nameA,
                                                          std::span<const HeadLine> a,
                                                          std::string_view nameB,
                                                          std::span<const HeadLine> b);

}  // namespace nearmiss::app::report
