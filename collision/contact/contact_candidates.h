// SPDX-License-Identifier: MIT
/// Finds every touching pair of features of two surfaces, with proven depths.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/pair.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/work_meter.h"
#include "contact/contact_body.h"
#include "contact/contact_depths.h"
#include "contact/convex_contacts.h"
#include "contact/feature_contacts.h"
#include "contact/near_features.h"
#include "pair/two_bodies.h"

namespace nearmiss {

/// A resumable search for triangles that intersect. Reuses its memory.
class SurfaceCrossings {
 public:
  /// Starts a search. Both bodies must outlive the last step.
  void begin(const ContactBody& a, const ContactBody& b, const Pose& bToA) noexcept;

  /// Compares a few triangles. Stops at the first intersection if both bodies have an inside.
  /// Returns false when the search is finished.
  bool step(WorkCount& work);

  [[nodiscard]] const CrossingSample& sample() const noexcept { return sample_; }
  /// Uses `point` as a substitute if there are no intersections.
  void addIfEmpty(const ManifoldPoint& point) {
    if (sample_.empty()) sample_.add(point);
  }

 private:
  [[nodiscard]] bool solids() const noexcept { return a_->hasInside() && b_->hasInside(); }
  void compare(const NearTrianglePairs::Pair& pair, WorkCount& work);

  const ContactBody* a_ = nullptr;
  const ContactBody* b_ = nullptr;
  NearTrianglePairs triangles_;  ///< pairs with overlapping boxes
  std::size_t next_ = 0;         ///< next of the last listed pairs
  CrossingSample sample_;
};

/// A resumable search in stages. Reuses its memory.
class ContactCandidates {
 public:
  /// Starts a search.
  /// @pre bodies.taken(); they must outlive the last step.
  /// @param once if no other pose of the same two meshes is expected: see NearFeatures::begin()
  void begin(const TwoBodies& bodies, Real margin, bool once = false);

  /// Starts a search of the same two meshes in another pose. Compares known features first. If the
  /// previous search ran out of time, continues where it stopped.
  /// @param known sorted point ids; must outlive the last step
  void beginAgain(const TwoBodies& bodies, Real margin, std::span<const std::uint64_t> known);

  /// Continues the search. Returns true when it is finished.
  bool refine(const TimeBudget& budget);

  /// Copies the points found so far, frame of a. Some may occur twice.
  void copyTo(std::vector<ManifoldPoint>& points) const;
  /// Returns true if a point of the previous manifold may be a contact, because time ran out before
  /// the search reached it.
  [[nodiscard]] bool isOpen(std::uint64_t id) const noexcept {
    return stage_ != Stage::Done && !features_.hasCompared(id);
  }
  /// Shortens depths that a search did not check because time ran out. For two solids, limits them
  /// to the proven depth, which is returned. For other bodies, limits them to the depths of the
  /// last manifold plus the motion since: a vertex may be far from the face through which it should
  /// leave.
  /// @param certain, deepest metres, from earlier results
  Real makeCertain(std::vector<ManifoldPoint>& points, Real certain, Real deepest) const;
  /// Returns a proven depth, metres: no shorter translation separates two solids. 0 if unknown.
  [[nodiscard]] Real certainDepth() const noexcept { return found_.certainDepth; }

  /// Returns false if the surfaces intersect and neither body has an inside.
  [[nodiscard]] bool depthKnown() const noexcept {
    return crossings_.sample().empty() || a_.hasInside() || b_.hasInside();
  }

 private:
  enum class Stage : std::uint8_t {
    Convex,  ///< two convex solids with few faces
    Features,
    Crossings,  ///< triangles that intersect
    Passed,     ///< vertices of a solid beyond a surface
    Check,      ///< checks whether points are too deep
    Deepest,    ///< the deepest point, if features miss it
    Done
  };

  void start(const TwoBodies& bodies, Real margin, std::span<const std::uint64_t> known);
  [[nodiscard]] bool solids() const noexcept { return a_.hasInside() && b_.hasInside(); }
  void step();
  void findConvex();
  void beginFeatures();
  void lookForStandIn(const TimeBudget& budget);
  void lookForCrossings();
  void addAlongWall();
  void lookForPassed();
  void beginCheck();
  void check();
  void seekDeepest();
  void finish();

  const TwoBodies* bodies_ = nullptr;
  ContactBody a_, b_;
  Real margin_ = 0.0, slack_ = 0.0;
  Stage stage_ = Stage::Done;
  bool standInSought_ = false;
  std::span<const std::uint64_t> known_;
  ConvexContacts convex_;
  FeatureContacts features_;
  SurfaceCrossings crossings_;
  ContactDepths depths_;
  ContactFindings found_;
  WorkMeter meter_;
};

}  // namespace nearmiss
