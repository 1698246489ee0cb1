// SPDX-License-Identifier: MIT
/// Makes the depths of contact points certain: no point of two solids is deeper than they overlap.
#pragma once

#include <nearmiss/contact_manifold.h>
#include <nearmiss/time_budget.h>

#include <optional>
#include <vector>

#include "narrow/work_meter.h"
#include "query/contact_body.h"
#include "query/crossing_sample.h"
#include "query/deepest_point.h"
#include "query/depth_check.h"
#include "query/edge_crossings.h"
#include "query/inner_balls.h"
#include "query/two_bodies.h"

namespace nearmiss {

/// A resumable check of the points found, and a search for the deepest point where these miss most
/// of the overlap. Keeps its memory.
class ContactDepths {
 public:
  /// Starts over. All must outlive the last step.
  void begin(const TwoBodies& bodies, const ContactBody& a, const ContactBody& b,
             Real slack) noexcept;

  /// Takes the points of all features. Call checkSome() next.
  /// @param limit metres; points deeper than this are checked if a surface has no inside
  void take(ContactFindings& found, Real limit, WorkCount& work);
  /// Checks another depth, and removes points that are too deep in the end. Returns false if all
  /// were checked.
  bool checkSome(ContactFindings& found, WorkCount& work);

  /// True if the bodies overlap by more than the points say.
  [[nodiscard]] bool missesOverlap(const ContactFindings& found) const;
  /// True if the deepest point has to be sought. Call makeBalls() before.
  [[nodiscard]] bool wantsDeepest(const ContactFindings& found,
                                  const CrossingSample& crossings) const;
  /// Builds the inner balls of both shapes for that search. Returns false if the budget ran out.
  [[nodiscard]] bool makeBalls(const TimeBudget& budget);
  /// Takes a step of that search. Returns false if it has ended.
  bool seekSome(ContactFindings& found, const CrossingSample& crossings, WorkCount& work);

  /// Moves the points of features that overlap by more than is certain between the surfaces.
  /// @param most metres
  static void shorten(std::vector<ManifoldPoint>& points, Real most) noexcept;
  /// Returns how deep two solids overlap for certain, by what they share beside the deepest points.
  /// Sorts the points by id.
  /// @param certain metres: what is known
  [[nodiscard]] Real provenDepth(std::vector<ManifoldPoint>& points, Real certain,
                                 WorkCount& work) const;

 private:
  [[nodiscard]] bool solids() const noexcept { return a_->hasInside() && b_->hasInside(); }
  bool endCheck(const ContactFindings& found);
  void addDeepest(ContactFindings& found, WorkCount& work);

  const TwoBodies* bodies_ = nullptr;
  const ContactBody* a_ = nullptr;
  const ContactBody* b_ = nullptr;
  Real slack_ = 0.0;
  DepthCheck check_;
  bool explaining_ = false;  ///< points were checked, and the overlap is left to be explained
  bool missesMost_ = false;  ///< the points do not explain the overlap
  std::optional<DeepestPoint> deepest_;  ///< being sought
  const InnerBalls* ballsA_ = nullptr;
  const InnerBalls* ballsB_ = nullptr;
};

}  // namespace nearmiss
