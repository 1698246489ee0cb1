// SPDX-License-Identifier: MIT
/// Every pair of features of two surfaces that touches, with depths that are certain.
#pragma once

#include <nearmiss/contact_manifold.h>

#include <cstdint>
#include <span>
#include <vector>

#include "narrow/work_meter.h"
#include "query/contact_body.h"
#include "query/contact_depths.h"
#include "query/convex_contacts.h"
#include "query/feature_contacts.h"
#include "query/surface_crossings.h"
#include "query/two_bodies.h"

namespace nearmiss {

/// A resumable search, stage by stage. Keeps its memory.
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

  /// Continues the search. Returns true if it has ended.
  bool refine(const TimeBudget& budget);

  /// Copies the points found so far, frame of a; some may occur twice.
  void copyTo(std::vector<ManifoldPoint>& points) const;
  /// True if a point of the previous manifold may be a contact, because time ran out before the
  /// search came to it.
  [[nodiscard]] bool isOpen(std::uint64_t id) const noexcept {
    return stage_ != Stage::Done && !features_.hasCompared(id);
  }
  /// Shortens depths of a search that ran out of time before it checked them. Of two solids, to
  /// what they share for certain, which is returned. Of other bodies, to what can have come of the
  /// last manifold: a vertex may be far from the face through which it should leave.
  /// @param certain, deepest metres: what is known from before
  Real makeCertain(std::vector<ManifoldPoint>& points, Real certain, Real deepest) const;
  /// Metres: no shorter translation parts two solids; 0 if nothing is known.
  [[nodiscard]] Real certainDepth() const noexcept { return found_.certainDepth; }

  /// False if the surfaces cross and neither body has an inside.
  [[nodiscard]] bool depthKnown() const noexcept {
    return crossings_.sample().empty() || a_.hasInside() || b_.hasInside();
  }

 private:
  enum class Stage : std::uint8_t {
    Convex,  ///< two convex solids of few faces
    Features,
    Crossings,  ///< triangles that intersect
    Passed,     ///< vertices of a solid beyond a surface
    Check,      ///< whether points are too deep
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
