// SPDX-License-Identifier: MIT
/// Finds proofs that two bodies stay in contact, for many translations that are near each other.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "query/shared_depth.h"

namespace nearmiss {

/// Remembers deep points of other translations, and looks where the surfaces cross.
class ContactProofs {
 public:
  /// Shapes and balls must outlive the last call.
  void begin(const Shape& a, const InnerBalls& ballsA, const Shape& b, const InnerBalls& ballsB,
             const Pose& bToA);

  /// Begins to look for the best that is at hand: near a known point, among inner balls, or
  /// remembered.
  void beginQuick(const Vec3& translation, const ContactBall& near, Real enough) {
    enough_ = enough;
    depth_->beginQuick(translation, near, enough);
  }
  /// One step of that; false where it has ended.
  bool stepQuick();

  /// Begins to look for the deepest point that climbing finds, from `best` and from crossings.
  /// @pre one is a solid.
  void beginThorough(const ContactBall& best, Real enough);
  /// One step of that; false where it has ended.
  bool stepThorough();
  /// What either found.
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

  /// Triangles whose boxes meet, b's frame of a.
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
  std::size_t nextPair_ = 0;     ///< in which to look for a crossing
  std::vector<Vec3> crossings_;  ///< of the surfaces, frame of a
  std::vector<ContactBall> remembered_;
  DepthClimb climb_;  ///< that is under way
  ContactBall best_;
  Real enough_ = 0.0;                     ///< of the quick look
  Real before_ = 0.0;                     ///< the depth without crossings
  std::size_t nextCrossing_ = 0;          ///< from which to climb
  bool fromCrossings_ = false;            ///< they were sought
  std::uint32_t climbs_ = 0, gains_ = 0;  ///< searches from crossings, and those of use
  std::uint64_t work_ = 0;
};

}  // namespace nearmiss
