// SPDX-License-Identifier: MIT
/// Ensures that no contact point of two solids is deeper than the solids overlap.
#pragma once

#include <nearmiss/detail/split_mix.h>
#include <nearmiss/math.h>
#include <nearmiss/pair.h>
#include <nearmiss/time_budget.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/work_meter.h"
#include "contact/contact_body.h"
#include "contact/edge_crossings.h"
#include "pair/inner_balls.h"
#include "pair/parting.h"
#include "pair/shared_depth.h"
#include "pair/two_bodies.h"

namespace nearmiss {

/// Selects some of the added points: those that are extreme in some directions, and a few random
/// ones. The result does not depend on the order of addition. Reuses its memory.
class CrossingSample {
 public:
  void clear() noexcept { random_.clear(); }
  [[nodiscard]] bool empty() const noexcept { return random_.empty(); }

  /// @param point depth 0, with a unique id
  void add(const ManifoldPoint& point) {
    addFarthest(point);
    if (random_.size() == maxRandom) {
      if (!before(point, random_.front())) return;
      std::pop_heap(random_.begin(), random_.end(), before);
      random_.pop_back();
    }
    random_.push_back(point);
    std::push_heap(random_.begin(), random_.end(), before);
  }

  /// Returns the midpoints between the two extreme points of each pair of opposite directions.
  /// @pre !empty()
  [[nodiscard]] std::array<Vec3, 13> middles() const noexcept {
    std::array<Vec3, 13> middles;
    for (std::size_t k = 0; k < middles.size(); ++k)
      middles[k] = 0.5 * (farthest_[k].point.onA + farthest_[ways - 1 - k].point.onA);
    return middles;
  }
  /// Returns any of the points.
  /// @pre !empty()
  [[nodiscard]] const ManifoldPoint& one() const noexcept {
    return *std::min_element(random_.begin(), random_.end(), before);
  }

  /// Appends all points kept, some twice.
  void addTo(std::vector<ManifoldPoint>& points) const {
    points.insert(points.end(), random_.begin(), random_.end());
    if (empty()) return;
    for (const auto& [reach, point] : farthest_) points.push_back(point);
  }

 private:
  static constexpr std::size_t maxRandom = 64, ways = 26;
  struct Farthest {
    Real reach = 0.0;
    ManifoldPoint point;
  };

  /// A random order: mixed ids of different points differ.
  static bool before(const ManifoldPoint& p, const ManifoldPoint& q) noexcept {
    return SplitMix(p.id).bits() < SplitMix(q.id).bits();
  }

  void addFarthest(const ManifoldPoint& point) noexcept {
    std::size_t k = 0;
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          if (x == 0 && y == 0 && z == 0) continue;
          Farthest& known = farthest_[k++];
          const Real reach = glm::dot(Vec3(x, y, z), point.onA);
          if (empty() || reach > known.reach || (reach == known.reach && point.id < known.point.id))
            known = {reach, point};
        }
  }

  std::array<Farthest, ways> farthest_;
  std::vector<ManifoldPoint> random_;  ///< a heap with the last point of this order in front
};

/// A search in small steps for the point that is deepest in both bodies.
class DeepestPoint {
 public:
  /// All arguments must outlive it.
  /// @param crossings some intersection points of both surfaces, frame of a; not empty
  DeepestPoint(const TwoBodies& bodies, const InnerBalls& ballsA, const InnerBalls& ballsB,
               const CrossingSample& crossings);

  /// Advances by the smallest possible step. Returns false when the search is finished.
  bool step();

  /// Returns the contact at the deepest point found: points on both surfaces along the way out,
  /// frame of a, without an id. Empty if no point is deeper than rounding.
  [[nodiscard]] std::optional<ManifoldPoint> found();

  /// Returns a proven depth, metres: no shorter translation separates two solids. 0 if unknown.
  [[nodiscard]] Real certainDepth() const noexcept {
    return climb_ && climb_->best.radius > 0.0 ? climb_->best.radius : 0.0;
  }

  /// Returns the number of bound tests since the last call.
  [[nodiscard]] std::uint64_t takeWork() noexcept { return shared_.takeWork(); }

 private:
  void tryMiddle(const Vec3& middle);

  const TwoBodies* bodies_;
  Real slack_;
  Real reach_;  ///< initial step of the climb, metres
  SharedDepth shared_;
  ContactBall begin_;  ///< the deepest known point at intersections or between them
  std::array<Vec3, 13> middles_;
  std::size_t middlesLeft_ = 0;      ///< not tried yet
  std::optional<DepthClimb> climb_;  ///< starts after the inner balls were tested
};

/// Checks contact points of doubtful depth. Edges of two stacked slabs, for example, also
/// cross sideways, with a depth of the whole width of the slabs. But no contact is deeper than a
/// translation that separates the bodies. Moves b along the normals of such points, and tests
/// whether that separates the bodies. Reuses its memory.
class DepthCheck {
 public:
  /// Starts a check of contact points. The bodies must outlive the last step; the points are
  /// copied.
  /// @param certain proven minimum length of a translation that separates the bodies, metres
  void begin(const TwoBodies& bodies, std::span<const ManifoldPoint> points, Real certain,
             Real slack);

  /// Continues with a translation or starts the next, and adds the work. Returns false if nothing
  /// is left to try.
  bool step(WorkCount& work);

  /// Starts to test whether the points explain the overlap. Moves b by the shortest translation
  /// that moves every point out by three times its depth. If the bodies still touch, the points
  /// miss most of the overlap.
  /// @param points at most 2
  /// @pre step() has returned false.
  void beginToExplain(std::span<const ManifoldPoint> points);
  /// Advances that test and adds the work. Returns false when explains() has the result.
  bool stepToExplain(WorkCount& work) { return test_.step(work); }
  [[nodiscard]] bool explains() const noexcept { return test_.parts(); }

  /// Returns the length of a translation that separates the bodies; infinite if none is known.
  /// Deeper points are not contacts.
  [[nodiscard]] Real limit() const noexcept { return limit_; }

 private:
  struct Way {
    Real depth;
    Vec3 normal;
  };
  [[nodiscard]] std::size_t next() const noexcept;

  const TwoBodies* bodies_ = nullptr;
  Real slack_ = 0.0;
  std::vector<Way> ways_;  ///< by depth
  /// Ways from `begin_` to `end_` remain. Earlier ones do not separate the bodies, later ones do.
  std::size_t begin_ = 0, end_ = 0;
  std::uint32_t tried_ = 0;
  bool testing_ = false;  ///< the translation of next() is being tested
  PartingTest test_;
  Real limit_ = std::numeric_limits<Real>::infinity();
};

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

  /// Limits the depths of points to a proven depth: moves both points of a deeper one towards each
  /// other.
  /// @param maxDepth proven depth, metres
  static void limitDepths(std::vector<ManifoldPoint>& points, Real maxDepth) noexcept;
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
