// SPDX-License-Identifier: MIT
/// Records (docs/file-formats.md, "Records"): the files of a report, reading them row by row, and
/// what a reader must know about the reliability of their numbers.
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

/// One line of the head, `# key: value`, and its line number from 1.
struct HeadLine {
  std::string key, value;
  std::size_t line = 0;
};

/// The value of the first line with that key; empty if there is none.
[[nodiscard]] std::string_view saidIn(std::span<const HeadLine> head,
                                      std::string_view key) noexcept;

class RecordReader {
 public:
  /// Reads the head and the column names. For the JSON of a table, lines are counted as in its CSV.
  /// Errors: Unreadable; Unsupported for a file that is not a record, including an empty one;
  /// WrongVersion, BadFormat.
  static Result<RecordReader> open(const std::filesystem::path& file);

  [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }
  [[nodiscard]] const std::vector<HeadLine>& head() const noexcept { return head_; }
  [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return columns_; }
  /// Determined by the head and the column names.
  [[nodiscard]] RecordKind kind() const noexcept;
  /// Returns the indices of columns. Errors: BadFormat, with the names of all missing ones.
  [[nodiscard]] Result<std::vector<std::size_t>> find(
      std::span<const std::string_view> names) const;

  /// Goes to the next row; returns false at the end. Errors: BadFormat, Unreadable.
  Result<bool> next();
  [[nodiscard]] const std::vector<std::string_view>& cells() const noexcept { return cells_; }
  /// Returns a cell of this row as a number, possibly infinite. Errors: BadFormat.
  [[nodiscard]] Result<double> number(std::size_t column) const;
  /// As above, for finite numbers only.
  [[nodiscard]] Result<double> finite(std::size_t column) const;
  /// As number(), but `nullopt` for an empty cell.
  [[nodiscard]] Result<std::optional<double>> numberIfAny(std::size_t column) const;
  [[nodiscard]] std::size_t line() const noexcept { return line_; }
  /// Returns true if the file ended within a line, which is ignored.
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
  std::string_view text_;  ///< of the current line, in buffer_
  std::size_t line_ = 0;   ///< from 1
  std::size_t namesLine_ = 0;
  std::vector<HeadLine> head_;
  std::vector<std::string> columns_;
  std::vector<std::string_view> cells_;
  bool cutShort_ = false;
};

/// Parses a whole text as a number.
[[nodiscard]] std::optional<double> numberIn(std::string_view text) noexcept;

/// A whole table with a record head, as written by the experiments of the lab.
struct RecordTable {
  std::filesystem::path file;
  std::vector<HeadLine> head;
  std::vector<std::string> columns;
  std::vector<std::string> cells;     ///< row by row
  std::vector<std::size_t> rowLines;  ///< line numbers in the file, from 1
  bool cutShort = false;              ///< its last line was incomplete and is ignored

  [[nodiscard]] std::size_t rows() const noexcept { return rowLines.size(); }
  [[nodiscard]] const std::string& cell(std::size_t row, std::size_t column) const {
    return cells[row * columns.size() + column];
  }
  /// The meaning in the head's `# columns:`, with the unit; empty if there is none.
  [[nodiscard]] std::string meaningOf(std::string_view column) const;
};

/// Reads the rows. Errors: BadFormat for a row of a different length; Unreadable.
[[nodiscard]] Result<RecordTable> readTable(RecordReader reader);

/// An input file of a report.
struct RecordPath {
  std::filesystem::path file;
  bool fromFolder = false;  ///< found in a folder, not named: unsuitable files are skipped
};

/// Returns the named files and, for folders, their *.csv files sorted by name. Errors: Unreadable
/// for a folder that cannot be read or has no such file; Mismatch for a duplicate file.
[[nodiscard]] Result<std::vector<RecordPath>> recordFiles(
    std::span<const std::filesystem::path> runs);

/// Collects records of overloaded machines for one common notice.
class BusyMachines {
 public:
  void add(std::string_view name, std::span<const HeadLine> head);
  /// `nullopt` if no machine was busy.
  [[nodiscard]] std::optional<std::string> notice() const;

 private:
  std::vector<std::string> names_;
  double minLoad_ = 0.0, maxLoad_ = 0.0, minCores_ = 0.0, maxCores_ = 0.0;
};

/// The notice for a file that ended within a line.
[[nodiscard]] std::optional<std::string> cutNotice(std::string_view name, bool cutShort,
                                                   std::size_t rows);

/// Returns why times of the two runs are not comparable, with each key and both values; `nullopt`
/// if they are. Missing values are "unknown".
[[nodiscard]] std::optional<std::string> whyNotComparable(std::string_view nameA,
                                                          std::span<const HeadLine> a,
                                                          std::string_view nameB,
                                                          std::span<const HeadLine> b);

}  // namespace nearmiss::app::report
