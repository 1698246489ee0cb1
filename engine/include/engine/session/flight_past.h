// SPDX-License-Identifier: MIT
/// The last minute of a flight in progress, and random access to its frames.
#pragma once

#include <engine/flight/simulation.h>
#include <engine/session/session.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace nearmiss::engine {

/// A frame of the flight.
struct FlownFrame : RepeatableInput {
  Clock::Duration budget{};  ///< detection budget; max(): no limit
  int levelCap = 0;          ///< maximum depth of detection
};

/// Makes a detector of the current kind; returns null on failure.
using DetectorMaker = std::function<std::unique_ptr<Detector>()>;

/// Stores snapshots about a second apart and all frames between them. A position is the number of
/// frames since clear(). The state at position n is the state before frame n.
class FlightPast {
 public:
  /// Limits in simulation seconds and, approximately, in bytes. Beyond either, the oldest part is
  /// dropped.
  static constexpr Real defaultSeconds = 60.0;
  static constexpr std::size_t defaultBytes = std::size_t{160} << 20;
  explicit FlightPast(Real seconds = defaultSeconds, std::size_t bytes = defaultBytes) noexcept
      : maxSeconds_(seconds), maxBytes_(bytes) {}

  /// Drops everything; the next frame is number 0 of another world.
  void clear() noexcept;
  /// Sets the detector of the following frames.
  void setDetector(DetectorMaker maker);
  /// Call before each frame: keeps a snapshot if one is due.
  /// @pre a detector was set
  void before(const Simulation& simulation);
  /// Call after each frame.
  void add(const FrameInput& input, const FrameOutput& output);
  /// Drops everything after `position`.
  /// @pre begin() <= position <= end()
  void cut(std::uint64_t position);

  /// The earliest stored position, and the current one.
  [[nodiscard]] std::uint64_t begin() const noexcept;
  [[nodiscard]] std::uint64_t end() const noexcept { return end_; }
  /// The position of the newest snapshot.
  /// @pre begin() < end()
  [[nodiscard]] std::uint64_t lastSnapshot() const noexcept { return stretches_.back().first; }
  /// @pre begin() <= n < end()
  [[nodiscard]] const FlownFrame& frame(std::uint64_t n) const;
  /// Returns true if a snapshot was taken before frame n. It then includes the ships moved by
  /// Simulation::put() for that frame.
  /// @pre begin() <= n < end()
  [[nodiscard]] bool hasSnapshot(std::uint64_t n) const { return stretchAt(n).first == n; }
  /// Simulation seconds from begin() to end().
  [[nodiscard]] Real seconds() const noexcept;
  /// Approximate memory of everything stored.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  friend class Rewinder;
  /// Consecutive frames, and the state before the first.
  struct Stretch {
    std::uint64_t first = 0;
    Snapshot start;
    std::shared_ptr<const DetectorMaker> detector;
    std::vector<FlownFrame> frames;
    Real seconds = 0.0;
    std::size_t bytes = 0;
    [[nodiscard]] std::uint64_t end() const noexcept { return first + frames.size(); }
  };
  [[nodiscard]] const Stretch& stretchAt(std::uint64_t position) const;
  void forgetOldest();
  void drop(FlownFrame& frame);

  Real maxSeconds_;
  std::size_t maxBytes_;
  std::deque<Stretch> stretches_;
  std::vector<FlownFrame> spare_;  ///< dropped frames, reused for their memory
  std::shared_ptr<const DetectorMaker> detector_;
  std::uint64_t end_ = 0;
};

/// Goes to any stored position, in a separate simulation. Restores the preceding snapshot and
/// repeats the frames after it, bit for bit.
class Rewinder {
 public:
  /// Creates a rewinder at the end of `past`. `like` is the flying simulation. Both must outlive
  /// the rewinder, and `past` must not change meanwhile. Errors: Unsupported if `past` is empty or
  /// no detector can be made.
  static Result<Rewinder> begin(const FlightPast& past, const Simulation& like);

  /// Goes to a position. Errors: as begin().
  /// @pre past.begin() <= position <= past.end()
  Result<Success> goTo(std::uint64_t position);
  /// Repeats the frames from `from` to `to` and passes each with its output to `visit`.
  using Visitor = std::function<void(const FlownFrame& frame, const FrameOutput& output)>;
  Result<Success> fly(std::uint64_t from, std::uint64_t to, const Visitor& visit);

  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  /// The simulation at position().
  [[nodiscard]] const Simulation& simulation() const noexcept { return *simulation_; }

 private:
  explicit Rewinder(const FlightPast& past) noexcept : past_(&past) {}
  Result<Success> enter(const FlightPast::Stretch& stretch);
  const FrameOutput& step();

  /// Frames between two marks of a stretch, so that stepping back repeats few frames.
  static constexpr std::uint64_t markEvery = 8;

  const FlightPast* past_;
  const Simulation* like_ = nullptr;
  std::unique_ptr<SteadyClock> clock_ = std::make_unique<SteadyClock>();
  std::unique_ptr<Simulation> simulation_;
  const FlightPast::Stretch* stretch_ = nullptr;
  std::vector<std::pair<std::uint64_t, Snapshot>> marks_;  ///< of the current stretch, by position
  std::uint64_t position_ = 0;
};

}  // namespace nearmiss::engine
