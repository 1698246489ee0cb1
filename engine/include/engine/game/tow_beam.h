// SPDX-License-Identifier: MIT
/// A tow beam: a ship grabs a free body in front of it, tows it and throws it.
#pragma once

#include <engine/flight/hand_acts.h>
#include <engine/flight/ships.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace nearmiss::engine {

/// A beam between one ship and one body. It pulls like a damped spring towards a place before the
/// ship's nose, where both bounding spheres stay apart. All effects are acts of kind Push, which
/// the caller adds to the next frame, so that sessions replay them. The ship gets the opposite
/// momentum; a ship of infinite mass gets none.
///
/// Deterministic: equal calls give equal acts on every machine. Allocates nothing.
class TowBeam {
 public:
  /// Metres between the bounding spheres: maximum for attach(), the distance at which the body is
  /// held, and the maximum before the beam breaks.
  static constexpr Real reach = 4.0, gap = 0.6, breakGap = 7.0;
  /// Maximum distance of a body's sphere from the line along the nose, per metre ahead.
  static constexpr Real cone = 0.35;
  /// Maximum force of the spring [N].
  static constexpr Real force = 25.0;
  /// Angular frequency of the spring [1/s]. The spring is critically damped.
  static constexpr Real rate = 5.0;
  /// Relative speed that a throw adds along the nose [m/s].
  static constexpr Real throwSpeed = 7.0;

  enum class State : std::uint8_t {
    Off,     ///< never attached, released or thrown
    On,      ///< attached
    Broken,  ///< stretched beyond breakGap
    Gone,    ///< the ship or the body no longer exists
  };

  /// Returns the index of the body that attach() would take. `excluded` are keys of further bodies
  /// that do not count.
  /// @pre ship < ships.states().size()
  [[nodiscard]] static std::optional<std::size_t> target(
      const Ships& ships, std::size_t ship, std::span<const std::uint32_t> excluded = {}) noexcept;
  /// Attaches to the body of finite mass in front of the ship that is nearest by bounding spheres.
  /// Returns false, and releases the previous body, if there is none within cone and reach.
  /// @pre as target()
  bool attach(const Ships& ships, std::size_t ship,
              std::span<const std::uint32_t> excluded = {}) noexcept;
  void release() noexcept;

  /// Returns the pushes for the next frame, of `dt` simulation seconds: that of the body, then that
  /// of the ship if its mass is finite. Releases the body and returns nothing if the beam breaks or
  /// one end is gone. Returns nothing if `dt` is not above 0. Valid until the next call.
  [[nodiscard]] std::span<const HandAct> pull(const Ships& ships, Real dt) noexcept;
  /// Releases the body and returns the pushes that throw it along the nose, in the order of pull().
  /// Empty if nothing is attached. Valid until the next call.
  [[nodiscard]] std::span<const HandAct> throwAhead(const Ships& ships) noexcept;

  [[nodiscard]] State state() const noexcept { return state_; }
  [[nodiscard]] bool on() const noexcept { return state_ == State::On; }
  /// Keys of both ends (BodyState::key); 0 unless attached.
  [[nodiscard]] std::uint32_t ship() const noexcept { return ship_; }
  [[nodiscard]] std::uint32_t body() const noexcept { return body_; }

 private:
  struct Ends;
  [[nodiscard]] std::optional<Ends> ends(const Ships& ships) const noexcept;
  [[nodiscard]] std::span<const HandAct> pushes(const Ends& ends, const Vec3& momentum) noexcept;
  void end(State state) noexcept;

  State state_ = State::Off;
  std::uint32_t ship_ = 0, body_ = 0;
  Vec3 nose_{0.0};  ///< direction of the nose at the previous pull(); zero before the first pull()
  Real turnTime_ = 0.0;  ///< length of the frame since then, simulation seconds
  std::array<HandAct, 2> acts_{};
};

}  // namespace nearmiss::engine
