// SPDX-License-Identifier: MIT
/// Ships that pass close to the user's ship, and ships that hit it.
#pragma once

#include <engine/flight/simulation.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace nearmiss::engine {

class ShipDistance;

/// A completed close pass.
struct NearMiss {
  std::uint32_t ship = 0;  ///< index in FrameOutput::bodies
  Real distance = 0.0;     ///< minimum distance between the surfaces, metres
  /// The user's own speed past the ship at the minimum distance, m/s: the smaller of the user's
  /// speed and the relative speed of both. A user who stands still has none.
  Real ownSpeed = 0.0;
  Real time = 0.0;  ///< of the minimum distance, simulation seconds
};

/// Watches a flight frame by frame without changing it: equal flights have equal near misses, live
/// or replayed. A pass begins when the distance between a ship's surface and the user's falls below
/// nearShare of the user's radius. It ends as a near miss when the distance has grown again by
/// `growth` of that radius. It does not count if the ships touch, as detected or in fact; that ship
/// must leave the limit before its next pass can begin. Shot bodies have neither passes nor hits.
///
/// Distances are exact at the end of each frame. Within a frame, ships are assumed to move straight
/// and turn evenly, and joints to stand still. The minimum distance is found to a hundredth of the
/// limit. Ships whose spheres stay apart cost a few multiplications.
class NearMisses {
 public:
  /// Relative to the radius of the user's ship.
  static constexpr Real nearShare = 0.3, growth = 0.025;

  NearMisses();
  /// A copy continues from the same state.
  NearMisses(const NearMisses& other);
  NearMisses& operator=(const NearMisses& other);
  NearMisses(NearMisses&&) noexcept;
  NearMisses& operator=(NearMisses&&) noexcept;
  ~NearMisses();

  /// Call before another flight, or after a jump in a recorded one.
  void clear() noexcept;
  /// Processes the next frame.
  /// @pre user < output.bodies.size()
  void take(const FrameOutput& output, std::size_t user, const Shapes& shapes);

  /// Near misses that ended in the last frame.
  [[nodiscard]] std::span<const NearMiss> ended() const noexcept { return ended_; }
  /// Number of surface pairs compared so far.
  [[nodiscard]] std::uint64_t comparisons() const noexcept;

 private:
  enum class Phase : std::uint8_t {
    Away,
    Near,  ///< within the limit
    Over,  ///< has passed or touched, and has not left the limit yet
  };
  struct Watched {
    std::uint32_t key = 0;  ///< key of the ship; 0: none yet
    Phase phase = Phase::Away;
    bool touching = false;  ///< in this frame
    Pose pose;              ///< at the end of the previous frame
    Real lower = 0.0;       ///< lower bound on the distance at that time, metres
    NearMiss pass;          ///< the current pass
  };
  struct Course;
  void noteTouches(const FrameOutput& output, std::size_t user);
  void follow(Watched& ship, const Course& course, const Shapes& shapes);
  void searchWithin(const Course& course, const Shapes& shapes, Real from, Real lowerFrom, Real to,
                    Real lowerTo, int halvings, NearMiss& nearest);
  void end(Watched& ship);

  std::unique_ptr<ShipDistance> distance_;
  std::vector<Watched> ships_;  ///< by index
  std::vector<NearMiss> ended_;
  Pose own_;  ///< of the user's ship at the end of the previous frame
  Real time_ = 0.0;
  bool begun_ = false;
};

// Collisions of the user's ship, and which of them were false alarms.

class ShipDistance;

/// A collision as detection reported it, with the actual distance of the surfaces.
struct Hit {
  std::uint32_t ship = 0;  ///< the other ship; index in FrameOutput::bodies
  Real time = 0.0;         ///< simulation seconds
  Stage stage = Stage::Bounds;
  int level = 0;         ///< deepest level of spheres that was completed
  bool mayGoOn = false;  ///< the budget or the level cap prevented a deeper test
  /// Distance between the surfaces, metres; 0: contact, or not resolved. Joints are as at the end
  /// of the frame.
  Real gap = 0.0;
  /// The surfaces did not touch, although the spheres that detection tested did [H96 §9.2].
  [[nodiscard]] bool falseHit() const noexcept { return gap > 0.0; }
};

/// Examines the collisions of each frame without changing it: equal flights have equal hits.
class Hits {
 public:
  Hits();
  Hits(const Hits& other);
  Hits& operator=(const Hits& other);
  Hits(Hits&&) noexcept;
  Hits& operator=(Hits&&) noexcept;
  ~Hits();

  /// Processes the next frame.
  /// @pre user < output.bodies.size()
  void take(const FrameOutput& output, std::size_t user, const Shapes& shapes);
  /// Hits that began in the last frame, in order.
  [[nodiscard]] std::span<const Hit> now() const noexcept { return hits_; }

 private:
  std::unique_ptr<ShipDistance> distance_;
  std::vector<Hit> hits_;
};

}  // namespace nearmiss::engine
