// SPDX-License-Identifier: MIT
/// Ensures that no contact point of two solids is deeper than the solids overlap.
#pragma once

#include <nearmiss/pair.h>
#include <nearmiss/time_budget.h>

#include <optional>
#include <vector>

#include "base/work_meter.h"
#include "contact/contact_body.h"
#include "contact/crossing_sample.h"
#include "contact/deepest_point.h"
#include "contact/depth_check.h"
#include "contact/edge_crossings.h"
#include "pair/inner_balls.h"
#include "pair/two_bodies.h"

namespace nearmiss {

/// A resumable check of the points found. If they miss most of the overlap, also searches for the
/// deepest point. Reuses its memory.
class ContactDepths {
 public:
  /// Starts over. All arguments must outlive the last step.
  void begin(const TwoBodies& bodies, const ContactBody& a, const ContactBody& b,
             Real slack) noexcept;

  /// Takes the points of all features. Call checkSome() next.
  /// @param limit metres; points deeper than this are checked if a surface has no inside
  void take(ContactFindings& found, Real limit, WorkCount& work);
  /// Checks another depth, and finally removes points that are too deep. Returns false if all were
  /// checked.
  bool checkSome(ContactFindings& found, WorkCount& work);

  /// Returns true if the bodies overlap by more than the points explain.
  [[nodiscard]] bool missesOverlap(const ContactFindings& found) const;
  /// Returns true if the deepest point must be searched. Call makeBalls() first.
  [[nodiscard]] bool wantsDeepest(const ContactFindings& found,
                                  const CrossingSample& crossings) const;
  /// Builds the inner balls of both shapes for that search. Returns false if the budget ran out.
  [[nodiscard]] bool makeBalls(const TimeBudget& budget);
  /// Advances that search by one step. Returns false when it is finished.
  bool seekSome(ContactFindings& found, const CrossingSample& crossings, WorkCount& work);

  /// Moves the points of features that overlap by more than `most` between the surfaces.
  /// @param most proven depth, metres
  static void shorten(std::vector<ManifoldPoint>& points, Real most) noexcept;
  /// Returns the proven overlap of two solids, from their common volume near the deepest points.
  /// Sorts the points by id.
  /// @param certain proven depth so far, metres
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
  bool explaining_ = false;              ///< points were checked; the overlap is not yet explained
  bool missesMost_ = false;              ///< the points do not explain the overlap
  std::optional<DeepestPoint> deepest_;  ///< search in progress
  const InnerBalls* ballsA_ = nullptr;
  const InnerBalls* ballsB_ = nullptr;
};

}  // namespace nearmiss
