// SPDX-License-Identifier: MIT
/// The bounds kept for all bodies and which of them are void, and the grid's entries for bodies and
/// pairs. Every call reads all bounds, so each has one cache line.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/math.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "broad/body_bounds.h"
#include "broad/shared_parts.h"

namespace nearmiss {

/// Returns a float not below a nonnegative value.
[[nodiscard]] inline float roundedOut(Real value) noexcept {
  return static_cast<float>(value * (1.0 + 2e-7) + 1e-37);
}

/// At s seconds after `start`, the centre lies on every axis within `growth` * s + `tolerance` of
/// `position` + `velocity` * s, and the radius is at most `radius`.
struct alignas(64) KeptBound {
  Vec3 position{0.0};
  Real start = 0.0;
  float vx = 0.0f, vy = 0.0f, vz = 0.0f;
  float growth = 0.0f, tolerance = 0.0f;
  float radius = -1.0f;
  std::uint32_t key = 0, epoch = 0;

  KeptBound() = default;

  /// Valid for `life` seconds from `time` on. No number of the body exceeds `size` in that time.
  KeptBound(const BodyState& body, Real time, Real life, Real size) noexcept
      : position(body.pose.position),
        start(time),
        vx(static_cast<float>(body.velocity.x)),
        vy(static_cast<float>(body.velocity.y)),
        vz(static_cast<float>(body.velocity.z)),
        // Allow for the rounding of velocities to float
        growth(roundedOut(0.5 * body.accelerationBound * life +
                          1e-7 * largestCoordinate(body.velocity))),
        tolerance(roundedOut(1e-12 * size)),
        radius(roundedOut(body.shape.radius())),
        key(body.key),
        epoch(body.motionEpoch) {}

  /// Voids the bound: no state is within it any more. std::abs() of its radius is still the radius.
  void cancel() noexcept { radius = -std::abs(radius); }

  /// Returns true if a state is within the bound; false for NaN.
  [[nodiscard]] bool holds(const BodyState& body, Real time) const noexcept {
    const Real s = time - start;
    const Vec3& p = body.pose.position;
    const Real dx = std::abs(p.x - (position.x + Real{vx} * s));
    const Real dy = std::abs(p.y - (position.y + Real{vy} * s));
    const Real dz = std::abs(p.z - (position.z + Real{vz} * s));
    const Real allowed = Real{growth} * s + Real{tolerance};
    return (dx <= allowed) & (dy <= allowed) & (dz <= allowed) & (body.shape.radius() <= radius) &
           (body.key == key) & (body.motionEpoch == epoch);
  }
};
static_assert(sizeof(KeptBound) == 64);

/// The bounds kept for all bodies, and which of them are void.
class KeptBounds {
 public:
  /// Declares that exactly `bodies` have jumped since the last findVoid().
  void announce(std::span<const std::uint32_t> bodies) {
    announced_ = true;
    jumped_.insert(jumped_.end(), bodies.begin(), bodies.end());
  }

  /// Finds the states outside the bound kept for their index: another body, an announced or
  /// unannounced jump, or a changed size. Unless the jumps were announced, compares all states, on
  /// the workers of `pool` if given. Returns the number of states compared.
  /// Cancels those bounds. Otherwise, a body that returns to its index could find its old bound
  /// there, although that bound has ended and its pairs were dropped.
  std::size_t findVoid(std::span<const BodyState> bodies, Real time, WorkerPool* pool,
                       std::vector<std::uint32_t>& found) {
    found.clear();
    const std::size_t count = bodies.size();
    if (std::exchange(announced_, false) && bounds_.size() == count) {
      for (const std::uint32_t i : jumped_)
        if (i < count) {
          bounds_[i].cancel();
          found.push_back(i);
        }
      jumped_.clear();
      return 0;
    }
    jumped_.clear();
    if (bounds_.size() != count) {
      bounds_.assign(count, KeptBound{});
      for (std::uint32_t i = 0; i < count; ++i) found.push_back(i);
      return 0;
    }
    const std::size_t parts = partCount(count, statesPerPart);
    if (void_.size() < parts) void_.resize(parts);
    forEachPart(pool, count, statesPerPart,
                [&](std::size_t part, std::size_t first, std::size_t end) {
                  void_[part].clear();
                  compare(bodies, time, first, end, void_[part]);
                });
    for (const auto& some : std::span(void_).first(parts))
      found.insert(found.end(), some.begin(), some.end());
    return count;
  }

  [[nodiscard]] KeptBound& operator[](std::size_t i) noexcept { return bounds_[i]; }
  [[nodiscard]] const KeptBound& operator[](std::size_t i) const noexcept { return bounds_[i]; }

 private:
  /// States that one worker compares per part.
  static constexpr std::size_t statesPerPart = 256;

  void compare(std::span<const BodyState> bodies, Real time, std::size_t first, std::size_t end,
               std::vector<std::uint32_t>& found) {
    for (std::size_t i = first; i < end; ++i) {
      // Memory bandwidth is the limit, so prefetch what is read soon
      const std::size_t ahead = std::min(i + 16, bodies.size() - 1);
      __builtin_prefetch(&bodies[ahead]);
      __builtin_prefetch(&bodies[ahead].shape);
      __builtin_prefetch(&bounds_[ahead]);
      if (bounds_[i].holds(bodies[i], time)) continue;
      bounds_[i].cancel();
      found.push_back(static_cast<std::uint32_t>(i));
    }
  }

  std::vector<KeptBound> bounds_;
  std::vector<std::vector<std::uint32_t>> void_;  ///< by part
  bool announced_ = false;
  std::vector<std::uint32_t> jumped_;  ///< as announced by the caller
};

/// When a body's bound ends, and the acceleration it allows, m/s^2.
struct Envelope {
  Real end = 0.0, acceleration = 0.0;
};

/// A body in the grid: the box that contains all cubes of its bound, which lies within `half` of
/// the centre on every axis; and how often the bound was rebuilt.
struct LifeBox {
  float x = 0.0f, y = 0.0f, z = 0.0f, half = 0.0f;
  std::uint32_t build = 0;

  LifeBox() = default;

  /// No number of the body exceeds `size`. The box is infinite if no float can represent the
  /// position.
  LifeBox(const Vec3& centre, Real around, Real size, std::uint32_t count) noexcept
      : x(static_cast<float>(centre.x)),
        y(static_cast<float>(centre.y)),
        z(static_cast<float>(centre.z)),
        half(size <= Real{std::numeric_limits<float>::max()}
                 ? static_cast<float>((around + 1e-7 * size) * (1.0 + 1e-6))
                 : std::numeric_limits<float>::infinity()),
        build(count) {}
};

/// When a bound ends. Outdated if the bound has been rebuilt since.
struct BoundExpiry {
  std::uint32_t body = 0, build = 0;
};

/// A pair to look at. Outdated if either body's bound has been rebuilt since.
struct PairEvent {
  std::uint32_t a = 0, b = 0;
  std::uint32_t buildOfA = 0, buildOfB = 0;
  friend auto operator<=>(const PairEvent&, const PairEvent&) = default;
};

}  // namespace nearmiss
