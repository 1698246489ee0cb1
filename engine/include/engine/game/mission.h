// SPDX-License-Identifier: MIT
/// Missions: gates through asteroids, escape from hunters, docking at a station, salvage of wrecks.
/// Rules as data, and the state of a mission, fed frame by frame. Deterministic: equal flights have
/// equal missions.
#pragma once

#include <engine/flight/near_misses.h>
#include <engine/game/score.h>
#include <nearmiss/math.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

/// A ring to fly through, in either direction.
struct Gate {
  Vec3 centre{0.0};           ///< world, metres
  Vec3 axis{0.0, 0.0, -1.0};  ///< unit vector
  Real radius = 2.5;          ///< metres
};

/// Returns true if the straight way between two points leads through the ring.
[[nodiscard]] bool leadsThrough(const Gate& gate, const Vec3& from, const Vec3& to) noexcept;

/// Returns gates on a winding course around the origin, clear of all bodies except `user`, in the
/// order in which they must be passed. The first is near the user's ship.
[[nodiscard]] std::vector<Gate> layGates(std::span<const BodyState> bodies, std::size_t user,
                                         std::size_t count);

enum class MissionKind : std::uint8_t { Slalom, Escape, Docking, Salvage };

struct MissionRules {
  MissionKind kind = MissionKind::Slalom;
  std::string_view name;   ///< also the name of its scene
  Real seconds = 0.0;      ///< time limit; Escape: the time to survive. Simulation seconds
  std::uint32_t hull = 0;  ///< hits that end the mission
};

inline constexpr std::array<MissionRules, 4> missions{
    MissionRules{MissionKind::Slalom, "slalom", 120.0, 6},
    MissionRules{MissionKind::Escape, "escape", 60.0, 6},
    MissionRules{MissionKind::Docking, "station", 120.0, 3},
    MissionRules{MissionKind::Salvage, "salvage", 180.0, 5}};

/// Returns the mission of a scene, or null.
[[nodiscard]] const MissionRules* missionOf(std::string_view scene) noexcept;

/// The bay of the station in assets/models/station.toml: an open cylinder around the z axis of the
/// station's frame. The station is the first drone of the scenes station and salvage.
struct Bay {
  static constexpr std::size_t station = 1;                      ///< index of its body
  static constexpr Real radius = 2.6, back = -2.0, mouth = 3.0;  ///< metres
  static constexpr Real dockingSpeed = 0.5;                      ///< maximum, m/s
  /// Returns true if a point in the station's frame lies inside.
  [[nodiscard]] static bool holds(const Vec3& point) noexcept;
};

/// The pieces of wreck in the scene salvage: the drones after the station. They have no engines.
struct Wreck {
  static constexpr std::size_t first = Bay::station + 1, count = 4;  ///< indices of their bodies
};

enum class MissionState : std::uint8_t { Flying, Won, OutOfTime, Broken };

class Mission {
 public:
  static constexpr std::size_t gateCount = 10;
  /// Points of a gate, of a second survived or left at the end of a mission that is won, and of
  /// docking or of a piece of wreck in the bay.
  static constexpr std::int64_t gatePoints = 100, secondPoints = 10, dockingPoints = 1000;

  /// Starts a mission at a state of its scene.
  void begin(const MissionRules& rules, std::span<const BodyState> bodies, std::size_t user);
  /// Sets the body that the user's ship tows; 0: none (BodyState::key). Changes goal() of Salvage.
  void setTowed(std::uint32_t key) noexcept { towed_ = key; }
  /// Processes a frame; `passes` and `hits` are those of the frame. Does nothing once the mission
  /// is over. In Salvage, passes and touches of pieces do not count, and neither do touches of the
  /// station below Bay::dockingSpeed.
  /// @pre begin() was called with the bodies of this scene
  MissionState take(const FrameOutput& output, std::size_t user, std::span<const NearMiss> passes,
                    std::span<const Hit> hits);

  [[nodiscard]] const MissionRules& rules() const noexcept { return *rules_; }
  [[nodiscard]] MissionState state() const noexcept { return state_; }
  [[nodiscard]] std::int64_t points() const noexcept { return score_.points() + earned_; }
  [[nodiscard]] const Score& score() const noexcept { return score_; }
  [[nodiscard]] Real flown() const noexcept { return flown_; }  ///< simulation seconds
  [[nodiscard]] Real left() const noexcept {
    return flown_ < rules_->seconds ? rules_->seconds - flown_ : 0.0;
  }
  [[nodiscard]] std::uint32_t hits() const noexcept { return hits_; }
  [[nodiscard]] std::size_t gatesPassed() const noexcept { return passed_; }
  /// Gates that are still to be passed, in order.
  [[nodiscard]] std::span<const Gate> gatesLeft() const noexcept {
    return std::span(gates_).subspan(passed_);
  }
  /// Returns true while a piece of wreck is towed that is not delivered yet.
  [[nodiscard]] bool tows() const noexcept {
    return towed_ != 0 && nearest_ && !isDelivered(towed_);
  }
  /// The pieces of wreck that are or have been in the bay. They stay counted.
  [[nodiscard]] std::span<const std::uint32_t> delivered() const noexcept { return delivered_; }
  /// Returns the place to fly to, or null: the next gate, or the mouth of the bay. While nothing is
  /// towed in Salvage, it is the nearest piece of wreck that is not delivered.
  [[nodiscard]] const Vec3* goal() const noexcept;
  /// Speed relative to the station when the ship last touched it, m/s; 0 before.
  [[nodiscard]] Real touchSpeed() const noexcept { return touchSpeed_; }

 private:
  [[nodiscard]] MissionState judge(const Vec3& place);
  [[nodiscard]] bool hasBay(std::span<const BodyState> bodies) const noexcept;
  [[nodiscard]] bool isDelivered(std::uint32_t key) const noexcept;
  [[nodiscard]] bool touchesGently(const FrameOutput& output, std::size_t user,
                                   std::span<const Hit> hits);
  void collect(std::span<const BodyState> bodies);

  const MissionRules* rules_ = nullptr;
  MissionState state_ = MissionState::Flying;
  Score score_;
  std::int64_t earned_ = 0;  ///< without near misses and hits
  std::vector<Gate> gates_;
  std::size_t passed_ = 0;
  std::uint32_t hits_ = 0;
  Vec3 from_{0.0};                        ///< position of the user's ship after the previous frame
  Vec3 apart_{0.0};                       ///< of the ship from the station then
  Vec3 mouth_{0.0};                       ///< of the bay, world
  std::uint32_t towed_ = 0;               ///< key of a body; 0: none
  std::vector<std::uint32_t> delivered_;  ///< keys of pieces, in the order of delivery
  std::size_t pieces_ = 0;                ///< number of all pieces
  std::optional<Vec3> nearest_;           ///< position of the nearest piece to fetch
  Real at_ = 0.0, flown_ = 0.0;           ///< simulation seconds
  Real speed_ = 0.0, touchSpeed_ = 0.0;   ///< relative to the station, m/s
  std::uint32_t seconds_ = 0;             ///< whole seconds survived
};

}  // namespace nearmiss::engine
