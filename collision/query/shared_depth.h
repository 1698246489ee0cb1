// SPDX-License-Identifier: MIT
/// How deep a point lies in two solids at once: a proof that they stay in contact however they are
/// moved by less.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <cstdint>

#include "query/inner_balls.h"

namespace nearmiss {

/// Metres below the surface of a solid, or less than 0 by the distance of a point outside; always
/// the latter for what is no solid.
[[nodiscard]] Real depthIn(const Polyhedron& polyhedron, const Vec3& point);

/// All translations within `radius` of `translation` keep two bodies in contact: a ball about
/// `point` lies in one of them, and the other has a point in it that cannot leave it.
struct ContactBall {
  Vec3 translation{0.0};                                 ///< of b, frame of a
  Real radius = -std::numeric_limits<Real>::infinity();  ///< nothing is known where it is below 0
  Vec3 point{0.0};                                       ///< frame of a, b being translated

  /// True if all of a cube of translations lies within.
  [[nodiscard]] bool covers(const Vec3& centre, Real half) const noexcept {
    return glm::length(glm::abs(centre - translation) + Vec3(half)) <= radius;
  }
};

/// A climb to a deeper point, which can stop between any two steps.
struct DepthClimb {
  ContactBall best;
  Real enough = 0.0;  ///< it ends there
  Real scale = 0.0, step = 0.0;
  Vec3 mean{0.0};
  int steps = 0;
};

/// Finds such points. Two bodies in one pose, of which b is translated.
class SharedDepth {
 public:
  /// All must outlive it.
  SharedDepth(const Polyhedron& a, const InnerBalls& ballsA, const Polyhedron& b,
              const InnerBalls& ballsB, const Pose& bToA);

  /// The deepest point at hand: from where `near` says that it may be, and from the deepest of the
  /// inner balls. Stops at `enough`.
  [[nodiscard]] ContactBall quick(const Vec3& translation, const ContactBall& near, Real enough);

  /// The same in steps: false, and best() is the answer, where it has ended.
  void beginQuick(const Vec3& translation, const ContactBall& near, Real enough);
  bool stepQuick();
  [[nodiscard]] const ContactBall& best() const noexcept { return best_; }

  /// What is known of one point of `a`, b being translated.
  [[nodiscard]] ContactBall with(const Vec3& translation, const Vec3& point);

  /// Begins to climb from the point of `from`, b being translated as there.
  [[nodiscard]] static DepthClimb climbFrom(const ContactBall& from, Real enough) noexcept;

  /// One step. False, and nothing is done, where the climb has ended.
  bool climb(DepthClimb& on);

  /// Climbs to the end.
  [[nodiscard]] ContactBall climbed(const ContactBall& from, Real enough);

  /// The direction in which `b` has to be moved so that the point of `at` leaves one of the two,
  /// unit length; zero if none is known.
  [[nodiscard]] Vec3 wayOut(const ContactBall& at);

  /// Work since the last call, in tests of bounds.
  [[nodiscard]] std::uint64_t takeWork() noexcept;

 private:
  [[nodiscard]] Real value(const Vec3& point, const Vec3& translation);
  [[nodiscard]] Vec3 uphill(const Polyhedron& body, const Vec3& point);
  void tryLens();
  void improve(ContactBall& best, const Vec3& point);

  const Polyhedron *a_, *b_;
  const InnerBalls *ballsA_, *ballsB_;
  Pose bToA_;
  Quat toB_;
  Real slack_;
  DeepestPair pair_;
  ContactBall best_;   ///< of the quick search
  Real enough_ = 0.0;  ///< likewise
  std::uint64_t work_ = 0;
};

}  // namespace nearmiss
