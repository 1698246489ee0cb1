// SPDX-License-Identifier: MIT
/// Where the solids of two ships touch, for the response.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/contact_manifold.h>
#include <nearmiss/detector.h>
#include <nearmiss/shape.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace nearmiss::engine {

/// Where an impulse acts on two ships, world frame.
struct ImpulsePoint {
  Vec3 normal{0.0};  ///< unit, from b to a: a is pushed along it
  Vec3 position{0.0};
  /// Speed at which joints alone move the two surfaces apart here, along the normal, m/s.
  Real jointSpeed = 0.0;
};

[[nodiscard]] inline ImpulsePoint impulsePoint(const ManifoldPoint& point) noexcept {
  return {point.normal, 0.5 * (point.onA + point.onB)};
}

/// The contact manifold of two solids, as the response uses it.
struct SolidContact {
  static constexpr std::size_t maxPoints = 4;
  std::array<ManifoldPoint, maxPoints> manifold{};  ///< the first `count`, the deepest first
  std::size_t count = 0;                            ///< at least 1
  /// One point for ships that do not turn: the mean of the normals and positions, weighted by
  /// depth. The deepest point where the normals cancel or all depths are 0.
  ImpulsePoint mean;
  std::uint32_t linkA = 0, linkB = 0;  ///< the links that touch

  [[nodiscard]] std::span<const ManifoldPoint> points() const noexcept {
    return std::span(manifold).first(count);
  }
};

/// Finds contacts of solids, one after the other. Keeps its memory, so that it allocates nothing in
/// a steady scene. The answer depends on poses and shapes only, not on earlier calls. Use one query
/// per thread.
class SolidContactQuery {
 public:
  /// Returns the manifold of the two ships; of ships with joints, that of the first two links that
  /// have one. Returns nothing if the manifold is empty or its depth is unknown. Spends a limited
  /// amount of counted work on two links, and answers with the points found by then.
  /// @param solids the shapes that `bodies` refer to
  [[nodiscard]] std::optional<SolidContact> find(std::span<const BodyState> bodies,
                                                 const BodyPair& pair, const Shapes& solids);

 private:
  [[nodiscard]] std::optional<SolidContact> contactOf(const Link& a, const Link& b,
                                                      const Shapes& solids);

  ManifoldQuery query_;
};

}  // namespace nearmiss::engine
