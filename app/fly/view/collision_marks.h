// SPDX-License-Identifier: MIT
/// Marks of recent collisions: the ships, the level, the spheres.
#pragma once

#include <engine/flight/simulation.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/mesh.h>

#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fly/choices/ui_state.h"
#include "fly/flight/flight.h"
#include "fly/gfx/draw_frame.h"

namespace nearmiss::app::fly {

/// A collision while its mark is visible. Positions are those of the collision, not current ones.
struct CollisionMark {
  std::size_t a = 0, b = 0;  ///< indices of the ships
  /// Index among the visible marks, constant while the mark exists; determines letter and colour.
  std::size_t slot = 0;
  int level = 0;
  double time = 0.0;  ///< on the clock of update(), seconds
  Real bound = 0.0;
  Real radius = 1.0;  ///< metres, of the smaller ship
  bool conservative = true;
  ContactSpheres deepest;
  std::vector<ContactSpheres> contacts;  ///< world
  Triangle triangleA{}, triangleB{};     ///< world; only if triangles were compared
  bool hasTriangles = false;
  std::optional<engine::SolidContact> contact;  ///< the manifold used by the response
  bool proven = false;  ///< contact proven by triangles, or earlier by inner spheres of both solids
};

/// A contact found only by the reference.
struct MissedContact {
  std::size_t a = 0, b = 0;
  double time = 0.0;  ///< as for CollisionMark
};

class CollisionMarks {
 public:
  static constexpr std::size_t maxMarks = 12;
  static constexpr std::size_t maxSpherePairs = 64;

  void clear() noexcept;
  /// Adds the collisions of the frame and removes marks older than `lifetime`. Both times are
  /// seconds on the caller's clock, which need not be the flight's, so that slow motion does not
  /// prolong marks.
  void update(const Flight& flight, double now, double lifetime);
  /// 0 to 1: how recently the ship at `index` was hit.
  [[nodiscard]] float glow(std::size_t index) const noexcept;
  /// Place of that hit, body frame.
  [[nodiscard]] Vec3 hitPlace(std::size_t index) const noexcept;
  /// CollisionMark::slot of that hit.
  [[nodiscard]] std::size_t hitSlot(std::size_t index) const noexcept;
  /// CollisionMark::proven of that hit.
  [[nodiscard]] bool hitProven(std::size_t index) const noexcept;
  /// 0 to 1, decreasing with age.
  [[nodiscard]] float freshness(double time) const noexcept;
  [[nodiscard]] const std::vector<CollisionMark>& marks() const noexcept { return marks_; }
  [[nodiscard]] const std::vector<MissedContact>& missed() const noexcept { return missed_; }

 private:
  void take(const Flight& flight, const engine::Collision& collision);
  [[nodiscard]] std::size_t freeSlot() const noexcept;

  std::vector<CollisionMark> marks_, spare_;
  std::vector<MissedContact> missed_;
  struct Hit {
    double time = -1e30;
    Vec3 place{0.0};  ///< body frame, so that it moves with the ship
    std::size_t slot = 0;
    bool proven = false;
  };
  std::vector<Hit> lastHit_;  ///< by index
  double now_ = 0.0, lifetime_ = 3.0;
};

}  // namespace nearmiss::app::fly
