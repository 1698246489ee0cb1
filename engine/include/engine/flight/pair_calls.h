// SPDX-License-Identifier: MIT
/// Times both methods on the same pairs, one after the other, level by level. Provides the data of
/// the speed-up and accuracy figures [H96 Figs. 15, 16].
#pragma once

#include <engine/flight/depth.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/rivals/catalog.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace nearmiss::engine {

/// One call: a pair with overlapping bounding spheres at one detection.
struct PairCall {
  std::uint64_t frame = 0;
  std::uint32_t sub = 0;                 ///< index of the detection within the frame
  std::uint32_t a = 0, b = 0;            ///< indices of the ships
  std::chrono::nanoseconds reference{};  ///< total time of the one-step method
  /// Time from the start until levels 1 to 4 and the triangles were complete; 0 if a level was not
  /// reached.
  std::array<std::chrono::nanoseconds, exactDepth> level{};
  /// Cumulative number of sphere and box tests at the end of each level.
  std::array<std::uint64_t, exactDepth> boundTests{};
  std::uint64_t triangleTests = 0;  ///< pairs of triangles, in total
  int deepest = 0;                  ///< last level completed
  bool hitReference = false;
  bool hitLevel5 = false;
  std::array<Real, exactDepth - 1>
      bound{};  ///< separation bound at levels 1 to 4, metres; NaN if not reached
};

class PairCalls {
 public:
  /// Owns the two methods to compare.
  PairCalls(std::unique_ptr<NarrowPhase> driver, std::unique_ptr<NarrowPhase> reference);
  /// Called by the simulation before any response of a detection.
  void record(std::uint64_t frame, std::uint32_t sub, std::span<const BodyState> bodies,
              std::span<const DetectedPair> pairs);
  /// Calls since the last clear(). The caller clears them after writing them.
  [[nodiscard]] std::span<const PairCall> calls() const noexcept { return calls_; }
  void clear() noexcept { calls_.clear(); }

 private:
  std::unique_ptr<NarrowPhase> driver_, reference_;
  std::vector<PairCall> calls_;
  std::uint64_t recorded_ = 0;  ///< since construction
};

}  // namespace nearmiss::engine
