// SPDX-License-Identifier: MIT
/// The marks of collisions in the scene: who was hit, at which level, with which spheres.
#pragma once

#include <engine/flight/simulation.h>
#include <nearmiss/mesh.h>

#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fly/flight.h"
#include "fly/gfx/draw_frame.h"
#include "fly/ui_state.h"

namespace nearmiss::app::fly {

/// One collision while it can still be seen. Where it happened, not where the ships are now.
struct CollisionMark {
  std::size_t a = 0, b = 0;  ///< indices of the ships
  /// Its number among those in view, kept while it is there; determines letter and colour.
  std::size_t slot = 0;
  int level = 0;
  double time = 0.0;  ///< when it was taken up, seconds of update()'s clock
  Real bound = 0.0;
  Real radius = 1.0;  ///< metres, of the smaller ship
  bool conservative = true;
  ContactSpheres deepest;
  std::vector<ContactSpheres> contacts;  ///< world
  Triangle triangleA{}, triangleB{};     ///< world; where triangles were compared
  bool hasTriangles = false;
  std::optional<engine::SolidContact> contact;  ///< the manifold that the response acted on
  bool proven = false;  ///< contact, by triangles or earlier by spheres inside both solids
};

/// A contact that only the reference found.
struct MissedContact {
  std::size_t a = 0, b = 0;
  double time = 0.0;  ///< as of CollisionMark
};

class CollisionMarks {
 public:
  static constexpr std::size_t maxMarks = 12;
  static constexpr std::size_t maxSpherePairs = 64;

  void clear() noexcept;
  /// Takes up the collisions of the frame and forgets those older than `lifetime`. Both are seconds
  /// of a clock of the caller's, which need not be the flight's: slow motion keeps no mark longer.
  void update(const Flight& flight, double now, double lifetime);
  /// 0 to 1: how freshly the ship at `index` was hit.
  [[nodiscard]] float glow(std::size_t index) const noexcept;
  /// Where that was, in the frame of its body.
  [[nodiscard]] Vec3 hitPlace(std::size_t index) const noexcept;
  /// CollisionMark::slot of that hit.
  [[nodiscard]] std::size_t hitSlot(std::size_t index) const noexcept;
  /// 0 to 1, falling with age.
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
    Vec3 place{0.0};  ///< body frame, so that it stays on the ship
    std::size_t slot = 0;
  };
  std::vector<Hit> lastHit_;  ///< by index
  double now_ = 0.0, lifetime_ = 3.0;
};

/// Hits while their sparks fly: where ships met, how hard, and the light that it gives.
struct Impact {
  std::size_t a = 0, b = 0;  ///< indices of the ships
  Vec3 place{0.0};           ///< world
  Vec3 normal{0.0};          ///< unit vector in which `a` is thrown
  double speed = 0.0;        ///< at which the ships meet along it, m/s
  double born = 0.0;         ///< wall seconds
};

/// A collision of the last frame. The ships are taken as they fly apart, which after a
/// bounce is as fast as they met.
[[nodiscard]] Impact impactOf(const engine::FrameOutput& output, const engine::Collision& collision,
                              double wallSeconds);

class Impacts {
 public:
  static constexpr std::size_t maxImpacts = 16;
  static constexpr double seconds = 0.7;  ///< of wall time, for which sparks fly

  void clear() noexcept;
  /// Takes up the collisions of the last frame, and returns them, valid until the next call.
  std::span<const Impact> take(const engine::FrameOutput& output, double wallSeconds);
  /// Adds what is to be seen of them: sparks, and a hot mark at the contact.
  void light(double wallSeconds, std::vector<DrawLine>& sparks,
             std::vector<DrawLight>& marks) const;

 private:
  std::vector<Impact> impacts_, taken_;  ///< the oldest first
};

}  // namespace nearmiss::app::fly
