// SPDX-License-Identifier: MIT
/// A duel of two ships: who hit whom by shots and by thrown bodies, fed frame by frame.
/// Deterministic: equal flights have equal duels.
#pragma once

#include <engine/flight/hand_acts.h>
#include <engine/flight/simulation.h>
#include <nearmiss/math.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

enum class DuelState : std::uint8_t { Flying, FirstWon, SecondWon, Draw };

/// Hits that a player scored.
struct DuelHits {
  std::uint32_t shots = 0, throws = 0;
  [[nodiscard]] std::uint32_t total() const noexcept { return shots + throws; }
};

/// One scored hit.
struct DuelHit {
  std::size_t player = 0;  ///< who scored it
  bool thrown = false;     ///< by a thrown body; otherwise by a shot
  std::size_t source = 0;  ///< number of the shot or throw since the start
  Real time = 0.0;         ///< end of its frame, simulation seconds
};

/// Rules. Players are 0 and 1; player 0 flies the user's ship.
///
/// A hit is a touch that begins between a ship and a body that the other player has shot, or thrown
/// within the last throwSeconds. Each shot and each throw scores once; rebounds count. Own bodies
/// never count against their owner. A touch of both ships counts for nobody. The first player with
/// `goal` hits wins. After `seconds` the player with more hits wins, otherwise it is a draw. If
/// both reach the goal in one frame, the player with more hits wins, otherwise it is a draw.
class Duel {
 public:
  static constexpr std::string_view scene = "duel";  ///< name of its scene
  static constexpr std::size_t rival = 1;            ///< index of the second player's ship there
  static constexpr Real seconds = 180.0;             ///< time limit, simulation seconds
  static constexpr std::uint32_t goal = 5;           ///< hits that win
  static constexpr Real warmUp = 3.0;        ///< nobody can shoot before, simulation seconds
  static constexpr Real reload = 0.5;        ///< minimum time between two shots of a player [s]
  static constexpr Real throwSeconds = 4.0;  ///< time for which a thrown body can score [s]
  /// Points of a hit by a shot, of one by a throw, of a hit by the other player, and of each second
  /// left of a duel that is won.
  static constexpr std::int64_t shotPoints = 100, throwPoints = 200, hitCost = 50, secondPoints = 5;

  /// Starts a duel at the start of a flight, before any shot.
  /// @pre both indices are valid and different
  void begin(std::span<const BodyState> bodies, std::size_t first, std::size_t second);
  /// Records that a player throws a body, by BodyState::key, in the next frame.
  void noteThrow(std::size_t player, std::uint32_t body);
  /// Processes a frame and the acts that it began with. After the end of the duel it only counts
  /// shots.
  /// @pre begin() was called with the bodies of this flight
  DuelState take(const FrameOutput& output, std::span<const HandAct> acts);
  /// Forgets everything after `time`, the world's time from which the flight continues.
  void flyBack(Real time);

  /// Returns true if the player's weapon is ready in the next frame.
  [[nodiscard]] bool mayShoot(std::size_t player, Real reloadSeconds = reload) const noexcept;
  [[nodiscard]] DuelState state() const noexcept { return state_; }
  [[nodiscard]] DuelHits hits(std::size_t player) const noexcept;
  /// Number of shots of a player.
  [[nodiscard]] std::size_t shots(std::size_t player) const noexcept;
  /// The last hit; null without one.
  [[nodiscard]] const DuelHit* lastHit() const noexcept {
    return hits_.empty() ? nullptr : &hits_.back();
  }
  /// Points of a player, at least 0.
  [[nodiscard]] std::int64_t points(std::size_t player) const noexcept;
  /// Index of a player's ship.
  [[nodiscard]] std::size_t ship(std::size_t player) const noexcept { return ships_[player].index; }
  /// Simulation seconds of the last frame.
  [[nodiscard]] Real time() const noexcept { return now_; }
  /// Duration of the duel so far, or of the whole duel.
  [[nodiscard]] Real flown() const noexcept { return now_ < ended_ ? now_ : ended_; }
  [[nodiscard]] Real left() const noexcept { return flown() < seconds ? seconds - flown() : 0.0; }

 private:
  struct PlayerShip {
    std::size_t index = 0;
    std::uint32_t key = 0;
  };
  /// A shot or a throw.
  struct Launch {
    std::size_t player = 0;  ///< 2: another ship
    std::uint32_t body = 0;  ///< key of a thrown body
    Real began = 0.0;        ///< start of its frame
    bool spent = false;      ///< it has scored
  };
  [[nodiscard]] std::size_t playerOf(std::uint32_t key) const noexcept;
  void noteShots(const FrameOutput& output, std::span<const HandAct> acts, Real began);
  void score(const FrameOutput& output, std::size_t player, std::size_t body, Real at);
  [[nodiscard]] Launch* launchOf(const FrameOutput& output, std::size_t body, Real at);
  [[nodiscard]] DuelState judge() const noexcept;

  std::array<PlayerShip, 2> ships_;
  DuelState state_ = DuelState::Flying;
  std::vector<Launch> shots_, throws_;  ///< in order; shot n is in place n % Shots::most
  std::vector<DuelHit> hits_;
  Real now_ = 0.0;
  Real ended_ = std::numeric_limits<Real>::infinity();
};

}  // namespace nearmiss::engine
