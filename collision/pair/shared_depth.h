// SPDX-License-Identifier: MIT
/// The depth of a point in two solids at once: a proof that they stay in contact under all smaller
/// translations.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <cstdint>

#include "pair/inner_balls.h"

namespace nearmiss {

/// Returns the depth below the surface of a solid, metres; for a point outside, minus its distance.
/// For a mesh that is not a solid, every point is outside.
[[nodiscard]] Real depthIn(const Polyhedron& polyhedron, const Vec3& point);

/// A proof that all translations within `radius` of `translation` keep two bodies in contact: a
/// ball about `point` lies in one of them, and the other has a point inside the ball that cannot
/// leave it.
struct ContactBall {
  Vec3 translation{0.0};                                 ///< of b, frame of a
  Real radius = -std::numeric_limits<Real>::infinity();  ///< nothing is known if negative
  Vec3 point{0.0};                                       ///< frame of a, with b translated

  /// Returns true if a whole cube of translations lies within.
  [[nodiscard]] bool covers(const Vec3& centre, Real half) const noexcept {
    return glm::length(glm::abs(centre - translation) + Vec3(half)) <= radius;
  }
};

/// A climb to a deeper point, which can be interrupted between steps.
struct DepthClimb {
  ContactBall best;
  Real enough = 0.0;  ///< depth at which it stops
  Real scale = 0.0, step = 0.0;
  Vec3 mean{0.0};
  int steps = 0;
};

/// Finds deep points of two bodies in one pose, with b translated.
class SharedDepth {
 public:
  /// All arguments must outlive it.
  SharedDepth(const Polyhedron& a, const InnerBalls& ballsA, const Polyhedron& b,
              const InnerBalls& ballsB, const Pose& bToA);

  /// Returns the deepest point found quickly: from where `near` suggests, and from the deepest of
  /// the inner balls. Stops at `enough`.
  [[nodiscard]] ContactBall quick(const Vec3& translation, const ContactBall& near, Real enough);

  /// As quick(), in steps. The step function returns false when best() has the result.
  void beginQuick(const Vec3& translation, const ContactBall& near, Real enough);
  bool stepQuick();
  [[nodiscard]] const ContactBall& best() const noexcept { return best_; }

  /// Returns what one point of `a` proves, with b translated.
  [[nodiscard]] ContactBall with(const Vec3& translation, const Vec3& point);

  /// Starts a climb from the point of `from`, with b translated as there.
  [[nodiscard]] static DepthClimb climbFrom(const ContactBall& from, Real enough) noexcept;

  /// Advances a climb by one step. Returns false and does nothing if it is finished.
  bool climb(DepthClimb& on);

  /// Climbs to the end.
  [[nodiscard]] ContactBall climbed(const ContactBall& from, Real enough);

  /// Returns the direction, unit length, in which `b` must be moved so that the point of `at`
  /// leaves one of the bodies; zero if unknown.
  [[nodiscard]] Vec3 wayOut(const ContactBall& at);

  /// Returns the number of bound tests since the last call.
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
  Real enough_ = 0.0;  ///< of the quick search
  std::uint64_t work_ = 0;
};

}  // namespace nearmiss
