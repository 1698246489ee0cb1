// SPDX-License-Identifier: MIT
/// What a run leaves behind: profile and pair calls as CSV, a summary and a trace as JSON.
#pragma once

#include <engine/frame_profile.h>
#include <engine/pair_calls.h>
#include <nearmiss/result.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace nearmiss::engine {

/// What the head of every record says: format version, build, CPU, renderer, hashes, seed, target,
/// clock; in this order.
using RecordHead = std::vector<std::pair<std::string, std::string>>;

/// Writes one line per frame as it comes: `# key: value` lines, a header, then rows; times in
/// milliseconds. What was written stays readable when the disk fills up.
class ProfileWriter {
 public:
  /// Errors: Unreadable.
  static Result<ProfileWriter> open(const std::filesystem::path& file, const RecordHead& head);
  ProfileWriter(ProfileWriter&&) noexcept;
  ProfileWriter& operator=(ProfileWriter&&) noexcept;
  ~ProfileWriter();
  /// After a failed write nothing more is written; error() then says why.
  void add(const FrameProfile& frame);
  /// Flushes and closes. Errors: Unreadable, if anything could not be written.
  Result<Success> close();

 private:
  ProfileWriter() = default;
  struct State;
  std::unique_ptr<State> state_;
};

/// The statistics of one series of numbers, each defined in words in the file that carries it.
struct SeriesSummary {
  std::size_t n = 0;
  double mean = 0, sd = 0, min = 0, max = 0;
  double p50 = 0, p90 = 0, p95 = 0, p99 = 0, p99_9 = 0;  ///< nearest rank
  double low1pct = 0;  ///< mean of the largest 1 %, at least one value
  double cv = 0;       ///< sd / mean
};
[[nodiscard]] SeriesSummary summarise(std::span<const double> values);

/// Collects what the summary needs, frame by frame.
class RunSummary {
 public:
  void add(const FrameProfile& frame);
  /// Errors: Unreadable.
  Result<Success> write(const std::filesystem::path& file, const RecordHead& head,
                        std::uint64_t stateHash) const;
  [[nodiscard]] std::string json(const RecordHead& head, std::uint64_t stateHash) const;

 private:
  std::vector<FrameProfile> frames_;
};

/// Errors: Unreadable.
Result<Success> writePairCalls(const std::filesystem::path& file, const RecordHead& head,
                               std::span<const PairCall> calls);
/// Chrome trace: an X event per phase, C counters for slack and bound. Errors: Unreadable.
Result<Success> writeTrace(const std::filesystem::path& file, std::span<const FrameProfile> frames);

}  // namespace nearmiss::engine
