// SPDX-License-Identifier: MIT
/// Records that are written as a run goes: its profile and pair calls as CSV, a trace as JSON.
#pragma once

#include <engine/flight/frame_profile.h>
#include <engine/flight/pair_calls.h>
#include <engine/record/records.h>
#include <nearmiss/result.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace nearmiss::engine {

class RecordFile;

/// A file that grows with the run, and not the memory. It is written in blocks of whole lines, at
/// least once in a second of the frames' wall time: what was written stays readable when the disk
/// fills up, and all but the last second is written when the program is killed. After a failed
/// write nothing more is written, the file ends with its last whole line, and error() has the
/// reason.
class RecordWriter {
 public:
  RecordWriter(RecordWriter&&) noexcept;
  RecordWriter& operator=(RecordWriter&&) noexcept;
  ~RecordWriter();
  [[nodiscard]] std::optional<Error> error() const;
  /// Flushes and closes. Errors: Unreadable, if anything could not be written.
  Result<Success> close();

 protected:
  RecordWriter() noexcept;
  std::unique_ptr<RecordFile> file_;
};

/// `# key: value` lines, a header, then a row for each frame; times in milliseconds.
class ProfileWriter : public RecordWriter {
 public:
  /// Errors: Unreadable.
  static Result<ProfileWriter> open(const std::filesystem::path& file, const RecordHead& head);
  void add(const FrameProfile& frame);

 private:
  ProfileWriter() = default;
};

/// Chrome trace: an X event per phase, C counters for slack and bound. JSON once it is closed.
class TraceWriter : public RecordWriter {
 public:
  /// Errors: Unreadable.
  static Result<TraceWriter> open(const std::filesystem::path& file);
  void add(const FrameProfile& frame);
  /// As RecordWriter's, with the end that makes it JSON.
  Result<Success> close();

 private:
  TraceWriter() = default;
  bool empty_ = true;
};

/// The same head as a profile's, then a row for each call.
class PairCallWriter : public RecordWriter {
 public:
  /// Errors: Unreadable.
  static Result<PairCallWriter> open(const std::filesystem::path& file, const RecordHead& head);
  /// Those of a frame that began at `wallSeconds`, see FrameProfile::wallSeconds.
  void add(std::span<const PairCall> calls, double wallSeconds);

 private:
  PairCallWriter() = default;
};

}  // namespace nearmiss::engine
