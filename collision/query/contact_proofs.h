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
  /// The shapes must outlive the last call.
  void begin(const Shape& a, const Shape& b, const Pose& bToA);

  /// The best that is at hand: near a known point, among inner balls, or remembered.
  [[nodiscard]] ContactBall quick(const Vec3& translation, const ContactBall& near, Real enough);

  /// The deepest point that climbing finds, from `best` and from crossings. @pre one is a solid.
  [[nodiscard]] ContactBall thorough(ContactBall best, Real enough);

  /// See SharedDepth.
  [[nodiscard]] Vec3 wayOut(const ContactBall& at) { return depth_->wayOut(at); }
  [[nodiscard]] std::uint64_t takeWork() noexcept;

 private:
  void findCrossings(const Vec3& translation);
  void remember(const ContactBall& ball);

  const Polyhedron* a_ = nullptr;
  const Polyhedron* b_ = nullptr;
  Pose bToA_;
  std::optional<SharedDepth> depth_;
  std::vector<Vec3> crossings_;  ///< of the surfaces, frame of a
  std::vector<ContactBall> remembered_;
  std::uint32_t climbs_ = 0, gains_ = 0;  ///< searches from crossings, and those of use
  std::uint64_t work_ = 0;
};

}  // namespace nearmiss
