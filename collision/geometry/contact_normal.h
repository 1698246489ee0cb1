// SPDX-License-Identifier: MIT
/// Search for the contact normal of two bodies.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/pair.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace nearmiss {

/// Computes the contact normal of two bodies, a unit vector that points from `b` to `a`.
///
/// If the surfaces intersect, this is the direction in which a motion of `a` decreases the common
/// volume of both solids fastest. It is opposite to the area vector of the part of a's surface
/// inside `b`. The contour in which the surfaces intersect bounds that part, so the area vector is
/// half the sum of p x q over the contour's segments. If one solid lies inside the other, there is
/// no contour; then it is the shortest way out for the inner solid.
///
/// Depends only on the two meshes and the pose. Finds nothing if there is no contact, or if the
/// contact has no direction: for example, surfaces that touch in one point, or a rod that protrudes
/// equally from both sides of a plate.
///
/// Works in steps of a few microseconds. The first step, which intersects the surfaces, takes
/// longer.
class ContactSearch {
 public:
  /// Starts a search. Both bodies must outlive the last step. `b` is moved by `bToA` into the frame
  /// of `a`.
  /// @param maxLeafPairs the search finds nothing if more pairs of leaves, of a few triangles each,
  /// are near each other, because time and memory grow with their number
  void begin(const Polyhedron& a, const Polyhedron& b, const Pose& bToA,
             std::size_t maxLeafPairs) noexcept;

  [[nodiscard]] bool ended() const noexcept { return stage_ == Stage::Ended; }
  /// The normal, in the frame of `a`. Valid once the search has ended.
  [[nodiscard]] const std::optional<Vec3>& found() const noexcept { return found_; }

  /// Does a step and adds its work to `tests`, in bound tests. The work of intersecting the
  /// surfaces is not included.
  /// @pre not ended()
  void step(std::uint64_t& tests);

 private:
  /// Searches for pieces in the other body. If one is inside, searches for ways out of it.
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
    Real length = 0.0;     ///< longest way among the vertices tested so far
    std::size_t next = 0;  ///< the vertex to be tested next
    bool open = false;
  };

  const Polyhedron* a_ = nullptr;
  const Polyhedron* b_ = nullptr;
  Pose bToA_, aToB_;
  std::size_t maxLeafPairs_ = 0;
  Stage stage_ = Stage::Ended;
  std::size_t next_ = 0;  ///< next piece, or next vertex from which to search a way
  Way way_;
  std::optional<Vec3> best_;  ///< direction of the shortest way, in the frame of the outer body
  Real shortest_ = std::numeric_limits<Real>::infinity();
  std::optional<Vec3> found_;
};

}  // namespace nearmiss
