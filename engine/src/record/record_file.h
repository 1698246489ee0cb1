// SPDX-License-Identifier: MIT
/// A record file, written in blocks of whole lines.
#pragma once

#include <nearmiss/result.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace nearmiss::engine::detail {

/// Formats a time in milliseconds with nanosecond resolution.
[[nodiscard]] std::string milliseconds(std::chrono::nanoseconds time);

}  // namespace nearmiss::engine::detail

namespace nearmiss::engine {

class RecordFile {
 public:
  /// Opens a file that starts with `beginning`. Errors: Unreadable.
  static Result<std::unique_ptr<RecordFile>> open(const std::filesystem::path& file,
                                                  std::string beginning);
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;
  /// Flushes and closes.
  ~RecordFile();

  /// The buffer for whole lines, written from time to time.
  [[nodiscard]] std::string& lines() noexcept { return lines_; }
  /// Writes the buffer if it is large or the last write was a second ago.
  void flushIfDue(double wallSeconds);
  [[nodiscard]] bool failed() const noexcept { return error_ != 0; }
  [[nodiscard]] std::optional<Error> error() const;
  /// Errors: Unreadable, if anything could not be written.
  Result<Success> close();

 private:
  explicit RecordFile(std::filesystem::path file, int descriptor);
  void flush();

  std::filesystem::path file_;
  int descriptor_;
  bool regular_ = false;
  std::string lines_;
  std::uint64_t written_ = 0;  ///< bytes, always whole lines
  double flushedAt_ = 0.0;     ///< wall time of the frame of the last flush
  int error_ = 0;
};

}  // namespace nearmiss::engine
