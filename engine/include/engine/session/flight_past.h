// SPDX-License-Identifier: MIT
/// The last minute of a flight that goes on, and the way back to each of its frames.
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

/// A frame that was flown.
struct FlownFrame : RepeatableInput {
  Clock::Duration budget{};  ///< what detection might spend; max(): no limit
  int levelCap = 0;          ///< how deep it might go
};

/// Makes a detector of the kind that drives; null where that fails.
using DetectorMaker = std::function<std::unique_ptr<Detector>()>;

/// Snapshots about a second apart, and the frames between them. A position is the number of frames
/// flown since clear(): the state at it is the one before the frame of that number.
class FlightPast {
 public:
  /// Simulation seconds that are kept, and at most how many bytes, about; of a flight that needs
  /// more the oldest part is forgotten.
  static constexpr Real usualSeconds = 60.0;
  static constexpr std::size_t usualBytes = std::size_t{160} << 20;
  explicit FlightPast(Real seconds = usualSeconds, std::size_t bytes = usualBytes) noexcept
      : maxSeconds_(seconds), maxBytes_(bytes) {}

  /// Forgets all: another world follows, whose frames are counted from 0.
  void clear() noexcept;
  /// From the next frame on such a detector drives.
  void setDetector(DetectorMaker maker);
  /// Before a frame: keeps a snapshot where one is due. @pre A detector was set.
  void before(const Simulation& simulation);
  /// After it.
  void add(const FrameInput& input, const FrameOutput& output);
  /// Forgets what came after `position`. @pre begin() <= position <= end()
  void cut(std::uint64_t position);

  /// The earliest position that is kept, and the current one.
  [[nodiscard]] std::uint64_t begin() const noexcept;
  [[nodiscard]] std::uint64_t end() const noexcept { return end_; }
  /// The position of the newest snapshot. @pre begin() < end()
  [[nodiscard]] std::uint64_t lastSnapshot() const noexcept { return stretches_.back().first; }
  /// @pre begin() <= n < end()
  [[nodiscard]] const FlownFrame& frame(std::uint64_t n) const;
  /// True if a snapshot was taken before frame n: with the ships that Simulation::put() had put
  /// elsewhere for that frame. @pre begin() <= n < end()
  [[nodiscard]] bool hasSnapshot(std::uint64_t n) const { return stretchAt(n).first == n; }
  /// Simulation seconds from begin() to end().
  [[nodiscard]] Real seconds() const noexcept;
  /// Of all that is kept, about.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  friend class Rewinder;
  /// Frames that follow one another, and the state before the first.
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
  std::vector<FlownFrame> spare_;  ///< dropped: the next ones take their memory
  std::shared_ptr<const DetectorMaker> detector_;
  std::uint64_t end_ = 0;
};

/// Goes to any position of a past, in a simulation of its own: from the snapshot before it, by
/// flying the frames between again, to the last bit as they were.
class Rewinder {
 public:
  /// `like`: what flies. Both must outlive this, and `past` must not change meanwhile. Errors:
  /// Unsupported, where there is nothing to go back to or no detector can be made.
  static Result<Rewinder> begin(const FlightPast& past, const Simulation& like);

  /// Stands there. Errors: as begin(). @pre past.begin() <= position <= past.end()
  Result<Success> goTo(std::uint64_t position);
  /// Flies the frames from `from` to `to` again, and shows each with its output.
  using Visitor = std::function<void(const FlownFrame& frame, const FrameOutput& output)>;
  Result<Success> fly(std::uint64_t from, std::uint64_t to, const Visitor& visit);

  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  /// The state there.
  [[nodiscard]] const Simulation& simulation() const noexcept { return *simulation_; }

 private:
  explicit Rewinder(const FlightPast& past) noexcept : past_(&past) {}
  Result<Success> enter(const FlightPast::Stretch& stretch);
  const FrameOutput& step();

  /// Between two marks of a stretch, so that a frame back costs few frames.
  static constexpr std::uint64_t markEvery = 8;

  const FlightPast* past_;
  const Simulation* like_ = nullptr;
  std::unique_ptr<SteadyClock> clock_ = std::make_unique<SteadyClock>();
  std::unique_ptr<Simulation> simulation_;
  const FlightPast::Stretch* stretch_ = nullptr;
  std::vector<std::pair<std::uint64_t, Snapshot>> marks_;  ///< of that stretch, by position
  std::uint64_t position_ = 0;
};

}  // namespace nearmiss::engine
