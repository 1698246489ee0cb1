// SPDX-License-Identifier: MIT
/// Contact points of the solids of two ships, for the response.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace nearmiss::engine {

/// Point at which an impulse acts on two ships, world frame.
struct ImpulsePoint {
  Vec3 normal{0.0};  ///< unit, from b to a: a is pushed along it
  Vec3 position{0.0};
  /// Speed at which the joints alone separate the two surfaces here, along the normal, m/s.
  Real jointSpeed = 0.0;
};

[[nodiscard]] inline ImpulsePoint impulsePoint(const ManifoldPoint& point) noexcept {
  return {point.normal, 0.5 * (point.onA + point.onB)};
}

/// The contact manifold of two solids, prepared for the response.
struct SolidContact {
  static constexpr std::size_t maxPoints = 4;
  std::array<ManifoldPoint, maxPoints> manifold{};  ///< the first `count` are valid, deepest first
  std::size_t count = 0;                            ///< at least 1
  /// A single point for ships that do not turn: the mean of normals and positions, weighted by
  /// depth. The deepest point if the normals cancel or all depths are 0.
  ImpulsePoint mean;
  std::uint32_t linkA = 0, linkB = 0;  ///< the links that touch

  [[nodiscard]] std::span<const ManifoldPoint> points() const noexcept {
    return std::span(manifold).first(count);
  }
};

/// Computes contacts of solids. Reuses its memory, so it does not allocate in a steady scene. The
/// result depends on poses and shapes only, not on earlier calls. Use one query per thread.
class SolidContactQuery {
 public:
  /// Returns the manifold of the two ships. For articulated ships, the manifold of the first two
  /// links that have one. Returns `nullopt` if the manifold is empty or its depth is unknown. Two
  /// links use a limited amount of counted work; the result has the points found within it.
  /// @param solids the shapes that `bodies` refer to
  [[nodiscard]] std::optional<SolidContact> find(std::span<const BodyState> bodies,
                                                 const BodyPair& pair, const Shapes& solids);

 private:
  [[nodiscard]] std::optional<SolidContact> contactOf(const Link& a, const Link& b,
                                                      const Shapes& solids);

  ManifoldQuery query_;
};

}  // namespace nearmiss::engine
