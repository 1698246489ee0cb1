// SPDX-License-Identifier: MIT
/// The shortest translation that parts two bodies, by branch and bound over translations.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/shape.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "geometry/kept_heap.h"
#include "narrow/work_meter.h"
#include "query/beyond_planes.h"
#include "query/distance_search.h"
#include "query/shared_depth.h"

namespace nearmiss {

/// Cubes of translations, those nearest to none first. A cube is done with where a point deep in
/// both bodies proves that all of it leaves them in contact; else it is split. Its middle, where
/// the bodies are apart there, begins a descent to a shorter translation that parts them. So
/// `lower` is the nearest cube that is left, and `upper` the shortest translation at which the
/// exact test found the bodies apart.
class SeparationSearch {
 public:
  /// @param known a translation of b, frame of a, that parts them
  /// The shapes must outlive the last step.
  void begin(const Shape& a, const Shape& b, const Pose& bToA, const Vec3& known);

  /// Until the bounds are within `goal` of each other, or time runs out.
  void refine(const TimeBudget& budget);

  [[nodiscard]] Real lower() const noexcept { return lower_; }
  [[nodiscard]] Real upper() const noexcept { return upper_; }
  /// Of length upper(), frame of a.
  [[nodiscard]] const Vec3& shortest() const noexcept { return shortest_; }
  /// The bounds met as far as they can: within 4 % of each other, or the cubes are too many or too
  /// small.
  [[nodiscard]] bool finished() const noexcept { return finished_; }
  [[nodiscard]] std::uint32_t cells() const noexcept { return cellCount_; }
  /// Raises the lower bound by what is known from elsewhere.
  void atLeast(Real lower) noexcept;

 private:
  struct Cell {
    Vec3 centre{0.0};
    Real half = 0.0;
    Real nearest = 0.0;  ///< no translation in it is shorter
    ContactBall near;    ///< found for the cell that it is a part of
    std::uint32_t number = 0;
  };
  struct Farther {
    bool operator()(const Cell& p, const Cell& q) const noexcept {
      return p.nearest > q.nearest || (p.nearest == q.nearest && p.number > q.number);
    }
  };
  [[nodiscard]] const DistanceBounds& measure(const Vec3& translation);
  void noteApart(const Vec3& translation, Real gap);
  void seed();
  void march(const Vec3& direction);
  void findCrossings(const Vec3& translation);
  void remember(const ContactBall& ball);
  void pushOut(Vec3 translation);
  void descend(Vec3 translation);
  [[nodiscard]] Vec3 approach(const Vec3& from, const Vec3& to);
  void visit();
  void split(const Cell& cell, const ContactBall& found);
  void raise();
  [[nodiscard]] ContactBall contactAt(const Vec3& translation, const ContactBall& near, Real enough,
                                      bool& apart);

  const Shape* a_ = nullptr;
  const Shape* b_ = nullptr;
  Pose bToA_;
  std::optional<SharedDepth> depth_;
  bool solid_ = false;  ///< one of the two is: else nothing proves contact
  DistanceSearch distance_;
  std::vector<Vec3> directions_;     ///< along which nothing was tried, in reverse
  std::vector<BeyondPlane> planes_;  ///< what keeps them apart, of one descent
  std::vector<Vec3> crossings_;      ///< of the surfaces, frame of a
  std::vector<ContactBall> remembered_;
  KeptHeap<Cell, Farther> cells_;
  std::uint32_t cellCount_ = 0;
  std::uint32_t shallow_ = 0;             ///< cubes about which little contact was found
  std::uint32_t climbs_ = 0, gains_ = 0;  ///< searches from crossings, and those of use
  bool pushed_ = false;
  Real smallest_ = 0.0;  ///< the nearest translation of a cube that is too small to split
  Real proven_ = 0.0;    ///< the largest ball about no translation
  ContactBall atRest_;
  Real lower_ = 0.0, upper_ = 0.0;
  Vec3 shortest_{0.0};
  bool finished_ = true;
  WorkMeter meter_;
  const TimeBudget* budget_ = nullptr;
};

}  // namespace nearmiss
