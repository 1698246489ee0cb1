// SPDX-License-Identifier: MIT
/// Ships that pass the user's closely, and ships that hit it.
#pragma once

#include <engine/flight/simulation.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace nearmiss::engine {

class ShipDistance;

/// A pass that is over.
struct NearMiss {
  std::uint32_t ship = 0;   ///< index in FrameOutput::bodies
  Real distance = 0.0;      ///< metres, between the surfaces where they were nearest
  Real closingSpeed = 0.0;  ///< m/s, the greatest at which the ships' centres approached meanwhile
  Real time = 0.0;          ///< simulation seconds, where they were nearest
};

/// Watches a flight frame by frame and changes nothing in it: equal flights have equal near misses,
/// live or replayed. A pass begins where a ship's surface comes within nearShare of the user's
/// radius. It ends as a near miss where the distance has grown again by growth, and as none where
/// the ships touch, by a detection or in truth; then the ship has to leave before its next one.
/// What the user shot has neither passes nor hits.
///
/// Distances are exact at the end of each frame. Within a frame ships are taken to move straight
/// and to turn evenly, joints to stand still, and the least distance is found to a hundredth of
/// the limit. Ships whose spheres stay apart cost a few multiplications.
class NearMisses {
 public:
  /// Shares of the radius of the user's ship.
  static constexpr Real nearShare = 0.3, growth = 0.025;

  NearMisses();
  /// A copy goes on as the other would.
  NearMisses(const NearMisses& other);
  NearMisses& operator=(const NearMisses& other);
  NearMisses(NearMisses&&) noexcept;
  NearMisses& operator=(NearMisses&&) noexcept;
  ~NearMisses();

  /// For another flight, or after a leap in a recorded one.
  void clear() noexcept;
  /// Takes up the frame that follows. @pre user < output.bodies.size()
  void take(const FrameOutput& output, std::size_t user, const Shapes& shapes);

  /// Those that ended in the last frame.
  [[nodiscard]] std::span<const NearMiss> ended() const noexcept { return ended_; }
  /// Pairs of surfaces that were compared so far.
  [[nodiscard]] std::uint64_t comparisons() const noexcept;

 private:
  enum class Phase : std::uint8_t {
    Away,
    Near,  ///< within the limit
    Over,  ///< has passed or touched, and is to leave
  };
  struct Watched {
    std::uint32_t key = 0;  ///< of the ship; 0: none yet
    Phase phase = Phase::Away;
    bool touching = false;  ///< in this frame
    Pose pose;              ///< at the end of the frame before
    Real lower = 0.0;       ///< of the distance then, metres
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
  Pose own_;  ///< of the user's ship at the end of the frame before
  Real time_ = 0.0;
  bool begun_ = false;
};

// Collisions of the user's ship, and which of them were none.

class ShipDistance;

/// A collision as detection reported it, and how far apart the surfaces were.
struct Hit {
  std::uint32_t ship = 0;  ///< the other; index in FrameOutput::bodies
  Real time = 0.0;         ///< simulation seconds
  Stage stage = Stage::Bounds;
  int level = 0;         ///< of spheres, the deepest that was completed
  bool mayGoOn = false;  ///< a deeper look was possible: time or the level cap ended it
  /// Metres; 0: they touched, as far as could be found out. Joints are where the frame left them.
  Real gap = 0.0;
  /// Detection took spheres that met for surfaces that did not [H96 §9.2].
  [[nodiscard]] bool falseHit() const noexcept { return gap > 0.0; }
};

/// Looks at the collisions of each frame and changes nothing: equal flights have equal hits.
class Hits {
 public:
  Hits();
  Hits(const Hits& other);
  Hits& operator=(const Hits& other);
  Hits(Hits&&) noexcept;
  Hits& operator=(Hits&&) noexcept;
  ~Hits();

  /// Takes up a frame. @pre user < output.bodies.size()
  void take(const FrameOutput& output, std::size_t user, const Shapes& shapes);
  /// Hits of the last frame, as they began.
  [[nodiscard]] std::span<const Hit> now() const noexcept { return hits_; }

 private:
  std::unique_ptr<ShipDistance> distance_;
  std::vector<Hit> hits_;
};

}  // namespace nearmiss::engine
