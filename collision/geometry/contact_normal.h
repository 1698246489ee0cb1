// SPDX-License-Identifier: MIT
/// The search for the contact normal of two bodies.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace nearmiss {

/// Finds the contact normal of two bodies, a unit vector that points from `b` to `a`.
///
/// Where the surfaces cross, it is the direction in which a motion of `a` lessens the volume that
/// both solids share the fastest: against the area vector of that part of a's surface which lies
/// inside `b`. The contour in which the surfaces cross bounds that part, so the area vector is half
/// the sum of p x q over the contour's segments. Where one solid lies inside the other there is no
/// contour; then it is the shortest way out for the inner one.
///
/// Depends on nothing but the two meshes and the pose. Finds nothing if the two have no contact, or
/// one without a direction: surfaces that only touch in a point, a rod that leaves a plate on both
/// sides alike.
///
/// Works in steps of some microseconds. The first step, which looks where the surfaces cross, takes
/// longer.
class ContactSearch {
 public:
  /// Both must outlive the last step. `b` is moved by `bToA` into the frame of `a`.
  /// @param maxLeafPairs finds nothing if more pairs of leaves, of a few triangles each, are near
  /// each other, because time and memory grow with their number
  void begin(const Polyhedron& a, const Polyhedron& b, const Pose& bToA,
             std::size_t maxLeafPairs) noexcept;

  [[nodiscard]] bool ended() const noexcept { return stage_ == Stage::Ended; }
  /// The normal, in the frame of `a`. Valid once the search has ended.
  [[nodiscard]] const std::optional<Vec3>& found() const noexcept { return found_; }

  /// Adds its work to `tests`, in tests of bounds; where the surfaces cross is not counted.
  /// @pre not ended()
  void step(std::uint64_t& tests);

 private:
  /// Pieces are sought in the other body; where one is inside, so are ways out of it.
  enum class Stage : std::uint8_t { Contour, PiecesOfA, WaysOfA, PiecesOfB, WaysOfB, Ended };

  void enter(Stage stage) noexcept;
  void findContour();
  void lookAtPiece(std::uint64_t& tests);
  void beginWay(std::uint64_t& tests);
  void lengthenWay(std::uint64_t& tests);
  void endWays();
  [[nodiscard]] bool ofA() const noexcept {
    return stage_ == Stage::PiecesOfA || stage_ == Stage::WaysOfA;
  }
  [[nodiscard]] const Polyhedron& inner() const noexcept { return ofA() ? *a_ : *b_; }
  [[nodiscard]] const Polyhedron& outer() const noexcept { return ofA() ? *b_ : *a_; }
  [[nodiscard]] Vec3 toOuter(std::size_t vertex) const noexcept;

  /// A direction out of the outer body, from a vertex of the inner one to the nearest surface.
  struct Way {
    Vec3 direction{0.0}, exit{0.0};
    Real length = 0.0;     ///< of the longest way of those vertices that were looked at
    std::size_t next = 0;  ///< the vertex that is looked at next
    bool open = false;
  };

  const Polyhedron* a_ = nullptr;
  const Polyhedron* b_ = nullptr;
  Pose bToA_, aToB_;
  std::size_t maxLeafPairs_ = 0;
  Stage stage_ = Stage::Ended;
  std::size_t next_ = 0;  ///< piece, or vertex from which a way is sought
  Way way_;
  std::optional<Vec3> best_;  ///< direction of the shortest way, frame of the outer body
  Real shortest_ = std::numeric_limits<Real>::infinity();
  std::optional<Vec3> found_;
};

}  // namespace nearmiss
