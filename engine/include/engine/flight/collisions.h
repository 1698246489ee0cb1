// SPDX-License-Identifier: MIT
/// The collisions of a frame: which touches began, and the response to each.
#pragma once

#include <engine/flight/frame_profile.h>
#include <engine/flight/response.h>
#include <engine/flight/ships.h>
#include <engine/flight/touches.h>
#include <nearmiss/detector.h>
#include <nearmiss/shape.h>
#include <nearmiss/worker_pool.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nearmiss::engine {

/// A touch that began in this frame: a pair found not separate that did not touch at the detection
/// before.
struct Collision {
  std::uint32_t a = 0, b = 0;  ///< indices in FrameOutput::bodies
  Real time = 0.0;             ///< simulation seconds
  Refinement refinement;       ///< as it began
  /// The pair's wait until it was looked at: the collision may have been detected that late.
  Wait waited;
  Pose poseA, poseB;                    ///< of the ships as it began, before the response
  std::optional<SolidContact> contact;  ///< what the response acted on, if it asked for a manifold
};

class Collisions {
 public:
  /// Prepares the solids for contact queries, so that the first contact takes no longer than later
  /// ones.
  /// @param solids what the ships are made of; empty: the deepest spheres are used
  explicit Collisions(Shapes solids);

  [[nodiscard]] const Shapes& solids() const noexcept { return solids_; }

  /// Forgets those of the frame before.
  void clear() noexcept { begun_.clear(); }
  /// Notes the touches that began with a detection, which `touches` has taken up, and handles each
  /// of its pairs once. Adds the pairs whose pilots notice it to `struck`, and to `profile` how
  /// many pairs it handled at which level and how many it threw apart. Uses the workers of a pool,
  /// if there is one.
  void respond(Ships& ships, const Detection& found, const Touches& touches, Response kind,
               std::vector<BodyPair>& struck, WorkerPool* pool, FrameProfile& profile);
  /// Counts the collisions of the frame by level, and what is not exact about them.
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
  std::vector<Meeting> met_;                ///< those of the last detection, in its order
  std::vector<SolidContactQuery> queries_;  ///< by worker
  std::vector<Real> bounds_;
};

}  // namespace nearmiss::engine
