// SPDX-License-Identifier: MIT
/// The records of a run: summary, profile, pair calls and trace, and the head that they share.
#pragma once

#include <engine/flight/frame_profile.h>
#include <engine/flight/pair_calls.h>
#include <engine/record/series.h>
#include <nearmiss/result.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace nearmiss::engine {

/// The head of every record: format version, build, CPU, renderer, hashes, seed, target, clock; in
/// this order.
using RecordHead = std::vector<std::pair<std::string, std::string>>;

/// Of a run: frames, and those among them that were not in time.
struct FrameTotals {
  std::size_t all = 0, missed = 0, exhausted = 0, stutters = 0;
};
/// Calls of the detector, and those that fixed steps would have made besides.
struct CallTotals {
  std::uint64_t made = 0, skipped = 0;
};
/// What waited for want of time.
struct WaitTotals {
  std::uint64_t pairs = 0, bodies = 0;
  Real longest = 0.0;  ///< simulation seconds
  /// Maximum detections in a row that left out one of them.
  std::uint32_t maxPassedOver = 0;
  std::uint64_t collisionsLate = 0;
  std::uint32_t maxLate = 0;  ///< detections that one of those had waited
};
/// Touches, from their begin to their end.
struct TouchTotals {
  std::array<std::uint64_t, FrameProfile::levels> begun{};  ///< collisions, by level
  /// Pairs handed to the response at each level, counted at every detection.
  std::array<std::uint64_t, FrameProfile::levels> responded{};
  std::uint64_t ended = 0;
  std::uint32_t now = 0;  ///< in the last frame
  std::uint64_t responses = 0;
  Real worstBound = 0.0;  ///< metres
};

/// Collects what the summary needs, frame by frame, over all frames of a run however long.
class RunSummary {
 public:
  /// A frame stutters when it takes longer than this many times the mean of those before it.
  static constexpr double stutterFactor = 2.5;
  static constexpr std::size_t stutterWindow = 30;  ///< frames in that mean, fewer at the start

  void add(const FrameProfile& frame);
  [[nodiscard]] const FrameTotals& frames() const noexcept { return frames_; }
  [[nodiscard]] const CallTotals& calls() const noexcept { return calls_; }
  [[nodiscard]] const WaitTotals& waits() const noexcept { return waits_; }
  [[nodiscard]] const TouchTotals& touches() const noexcept { return touches_; }
  [[nodiscard]] SeriesSummary frameMs() const { return frame_.summary(); }
  [[nodiscard]] SeriesSummary detectionMs() const { return detection_.summary(); }
  /// Overrun of frames in which detection ran out of budget; and the same for those in which no
  /// other process took the core.
  [[nodiscard]] SeriesSummary overrunUs() const { return overrunUs_.summary(); }
  [[nodiscard]] SeriesSummary undisturbedOverrunUs() const { return undisturbedUs_.summary(); }
  /// The cause of the greatest overrun, as far as it was measured: a sentence.
  [[nodiscard]] std::string causeOfWorstOverrun() const;

  [[nodiscard]] std::string json(const RecordHead& head, std::uint64_t stateHash) const;
  /// Errors: Unreadable.
  Result<Success> write(const std::filesystem::path& file, const RecordHead& head,
                        std::uint64_t stateHash) const;

 private:
  void addOverrun(const FrameProfile& frame);

  FrameTotals frames_;
  CallTotals calls_;
  WaitTotals waits_;
  TouchTotals touches_;
  // Milliseconds, a frame each; budget only of frames with a limit, overrun only of exhausted ones
  Series frame_, detection_, render_, slack_, budget_, overrunUs_, undisturbedUs_;
  std::array<double, stutterWindow> lastFrames_{};  ///< a ring of frame_
  FrameProfile worst_;                              ///< of the greatest overrun
};

// Records that are written as a run goes: its profile and pair calls as CSV, a trace as JSON.

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
