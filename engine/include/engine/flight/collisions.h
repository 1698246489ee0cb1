// SPDX-License-Identifier: MIT
/// The collisions of a frame: touches that began, and the response to each.
#pragma once

#include <engine/flight/frame_profile.h>
#include <engine/flight/response.h>
#include <engine/flight/ships.h>
#include <engine/flight/touches.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/worker_pool.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nearmiss::engine {

/// A touch that began in this frame: the pair is not separate, and did not touch at the previous
/// detection.
struct Collision {
  std::uint32_t a = 0, b = 0;  ///< indices in FrameOutput::bodies
  Real time = 0.0;             ///< simulation seconds
  Refinement refinement;       ///< of the detection that found it
  /// How long the pair was postponed before this detection; the collision may be late by that much.
  Wait waited;
  Pose poseA, poseB;                    ///< of the ships at that detection, before the response
  std::optional<SolidContact> contact;  ///< the contact that the response used, if it needed a
                                        ///< manifold
};

class Collisions {
 public:
  /// Prepares the solids for contact queries, so that the first contact is not slower than later
  /// ones.
  /// @param solids the shapes of the ships; if empty, the response uses the deepest spheres
  explicit Collisions(Shapes solids);

  [[nodiscard]] const Shapes& solids() const noexcept { return solids_; }

  /// Discards the collisions of the previous frame.
  void clear() noexcept { begun_.clear(); }
  /// Records the touches that began with a detection and responds to each of its pairs once.
  /// `touches` must include that detection. Fills `struck` with the pairs to which pilots must
  /// react. Adds to `profile` the pairs handled, by level, and the number of pairs thrown apart.
  /// Uses the workers of `pool` if it is not null.
  void respond(Ships& ships, const Detection& found, const Touches& touches, Response kind,
               std::vector<BodyPair>& struck, WorkerPool* pool, FrameProfile& profile);
  /// Adds the collisions of the frame, by level, and their separation bounds to `profile`.
  void summarise(FrameProfile& profile);

  /// In the order in which they began.
  [[nodiscard]] std::span<const Collision> begun() const noexcept { return begun_; }

 private:
  /// A pair not found separate.
  struct Meeting {
    const DetectedPair* pair = nullptr;
    std::optional<SolidContact> solid;
  };
  void note(const Ships& ships, const Touches& touches);
  void findSolidContacts(const Ships& ships, Response kind, WorkerPool* pool);
  bool respondTo(Ships& ships, const DetectedPair& pair, const Touches& touches,
                 const std::optional<SolidContact>& solid, Response kind) const;

  Shapes solids_;
  std::vector<Collision> begun_;
  std::vector<Meeting> met_;                ///< pairs of the last detection, in its order
  std::vector<SolidContactQuery> queries_;  ///< by worker
  std::vector<Real> bounds_;
};

}  // namespace nearmiss::engine
