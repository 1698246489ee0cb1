// SPDX-License-Identifier: MIT
/// Finds proofs that two bodies stay in contact, for many similar translations.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "pair/shared_depth.h"

namespace nearmiss {

/// Remembers deep points of other translations, and searches near intersections of the surfaces.
class ContactProofs {
 public:
  /// Shapes and balls must outlive the last call.
  void begin(const Shape& a, const InnerBalls& ballsA, const Shape& b, const InnerBalls& ballsB,
             const Pose& bToA);

  /// Starts a quick search for a deep point: near a known point, among inner balls, or among
  /// remembered points.
  void beginQuick(const Vec3& translation, const ContactBall& near, Real enough) {
    enough_ = enough;
    depth_->beginQuick(translation, near, enough);
  }
  /// Advances the quick search. Returns false when it is finished.
  bool stepQuick();

  /// Starts a search for the deepest point by climbing, from `best` and from intersections.
  /// @pre one body is a solid.
  void beginThorough(const ContactBall& best, Real enough);
  /// Advances the thorough search. Returns false when it is finished.
  bool stepThorough();
  /// Returns the result of the last search.
  [[nodiscard]] const ContactBall& deepest() const noexcept { return best_; }

  /// See SharedDepth.
  [[nodiscard]] Vec3 wayOut(const ContactBall& at) { return depth_->wayOut(at); }
  [[nodiscard]] std::uint64_t takeWork() noexcept;

 private:
  void beginCrossings();
  void findCrossings();
  void thinOut();
  bool endClimb();
  [[nodiscard]] bool climbNext();

  /// Two triangles whose boxes overlap; b's in the frame of a.
  struct TrianglePair {
    std::uint32_t a;
    Triangle b;
  };
  void remember(const ContactBall& ball);

  const Polyhedron* a_ = nullptr;
  const Polyhedron* b_ = nullptr;
  Pose bToA_;
  std::optional<SharedDepth> depth_;
  std::vector<TrianglePair> pairs_;
  std::size_t nextPair_ = 0;     ///< next pair to test for an intersection
  std::vector<Vec3> crossings_;  ///< intersections of the surfaces, frame of a
  std::vector<ContactBall> remembered_;
  DepthClimb climb_;  ///< climb in progress
  ContactBall best_;
  Real enough_ = 0.0;                     ///< depth at which the quick search stops
  Real before_ = 0.0;                     ///< depth found without intersections
  std::size_t nextCrossing_ = 0;          ///< next intersection to climb from
  bool fromCrossings_ = false;            ///< intersections were searched
  std::uint32_t climbs_ = 0, gains_ = 0;  ///< climbs from intersections, and those that helped
  std::uint64_t work_ = 0;
};

}  // namespace nearmiss
