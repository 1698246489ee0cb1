// SPDX-License-Identifier: MIT
/// The records of a run: summary, profile, pair calls and trace, and their common head.
#pragma once

#include <engine/base/file_path.h>
#include <engine/flight/frame_profile.h>
#include <engine/flight/pair_calls.h>
#include <engine/record/series.h>
#include <nearmiss/result.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace nearmiss::engine {

/// Key and value pairs, in this order: format version, build, CPU, renderer, hashes, seed, target,
/// clock.
using RecordHead = std::vector<std::pair<std::string, std::string>>;

/// Frames of a run, and the numbers of those that were late, out of budget, or stuttered.
struct FrameTotals {
  std::size_t all = 0, missed = 0, exhausted = 0, stutters = 0;
};
/// Calls of the detector, and additional ones that fixed steps would have made.
struct CallTotals {
  std::uint64_t made = 0, skipped = 0;
};
/// Pairs and bodies postponed because the budget ran out.
struct WaitTotals {
  std::uint64_t pairs = 0, bodies = 0;
  Real longest = 0.0;  ///< simulation seconds
  /// Maximum number of consecutive detections that skipped one of them.
  std::uint32_t maxPassedOver = 0;
  std::uint64_t collisionsLate = 0;
  std::uint32_t maxLate = 0;  ///< maximum number of detections that a late collision had waited
};
/// Totals of touches.
struct TouchTotals {
  std::array<std::uint64_t, FrameProfile::levels> begun{};  ///< collisions, by level
  /// Pairs passed to the response, by level, counted at every detection.
  std::array<std::uint64_t, FrameProfile::levels> responded{};
  std::uint64_t ended = 0;
  std::uint32_t now = 0;  ///< in the last frame
  std::uint64_t responses = 0;
  Real worstBound = 0.0;  ///< metres
};

/// Accumulates the summary of a run of any length, frame by frame.
class RunSummary {
 public:
  /// A frame stutters if it takes longer than this multiple of the mean of the preceding frames.
  static constexpr double stutterFactor = 2.5;
  static constexpr std::size_t stutterWindow = 30;  ///< number of frames in that mean; fewer at the
                                                    ///< start

  void add(const FrameProfile& frame);
  [[nodiscard]] const FrameTotals& frames() const noexcept { return frames_; }
  [[nodiscard]] const CallTotals& calls() const noexcept { return calls_; }
  [[nodiscard]] const WaitTotals& waits() const noexcept { return waits_; }
  [[nodiscard]] const TouchTotals& touches() const noexcept { return touches_; }
  [[nodiscard]] SeriesSummary frameMs() const { return frame_.summary(); }
  [[nodiscard]] SeriesSummary detectionMs() const { return detection_.summary(); }
  /// Overrun of frames in which detection ran out of budget, and of those among them in which the
  /// thread was not preempted.
  [[nodiscard]] SeriesSummary overrunUs() const { return overrunUs_.summary(); }
  [[nodiscard]] SeriesSummary undisturbedOverrunUs() const { return undisturbedUs_.summary(); }
  /// Returns a sentence on the measured cause of the worst overrun.
  [[nodiscard]] std::string causeOfWorstOverrun() const;

  [[nodiscard]] std::string json(const RecordHead& head, std::uint64_t stateHash) const;
  /// Errors: Unreadable.
  Result<Success> write(const FilePath& file, const RecordHead& head,
                        std::uint64_t stateHash) const;

 private:
  void addOverrun(const FrameProfile& frame);

  FrameTotals frames_;
  CallTotals calls_;
  WaitTotals waits_;
  TouchTotals touches_;
  // Milliseconds per frame; budget only of frames with a limit, overrun only of exhausted ones
  Series frame_, detection_, render_, slack_, budget_, overrunUs_, undisturbedUs_;
  std::array<double, stutterWindow> lastFrames_{};  ///< a ring of frame_
  FrameProfile worst_;                              ///< frame with the largest overrun
};

// Records written during a run: profile and pair calls as CSV, trace as JSON.

class RecordFile;

/// A file that grows during a run, with constant memory. Written in blocks of whole lines, at least
/// once per second of the frames' wall time. If the disk fills up, written data stays readable; if
/// the program is killed, at most the last second is lost. After a failed write nothing more is
/// written, the file ends with a whole line, and error() has the reason.
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

/// Writes `# key: value` lines, a header, then one row per frame; times in milliseconds.
class ProfileWriter : public RecordWriter {
 public:
  /// Errors: Unreadable.
  static Result<ProfileWriter> open(const FilePath& file, const RecordHead& head);
  void add(const FrameProfile& frame);

 private:
  ProfileWriter() = default;
};

/// Writes a Chrome trace: an X event per phase, C counters for slack and bound. Valid JSON after
/// close().
class TraceWriter : public RecordWriter {
 public:
  /// Errors: Unreadable.
  static Result<TraceWriter> open(const FilePath& file);
  void add(const FrameProfile& frame);
  /// As RecordWriter::close(); also writes the end of the JSON.
  Result<Success> close();

 private:
  TraceWriter() = default;
  bool empty_ = true;
};

/// Writes the same head as ProfileWriter, then one row per call.
class PairCallWriter : public RecordWriter {
 public:
  /// Errors: Unreadable.
  static Result<PairCallWriter> open(const FilePath& file, const RecordHead& head);
  /// Adds the calls of a frame that began at FrameProfile::wallSeconds.
  void add(std::span<const PairCall> calls, double wallSeconds);

 private:
  PairCallWriter() = default;
};

}  // namespace nearmiss::engine
