// SPDX-License-Identifier: MIT
/// The search for a contact's normal and place.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace nearmiss {

/// contactPoint() in steps of some microseconds. The first one, which looks where the surfaces
/// cross, takes longer: `maxLeafPairs` limits it.
class ContactSearch {
 public:
  /// Both must outlive the last step. `b` is moved by `bToA` into the frame of `a`.
  void begin(const Polyhedron& a, const Polyhedron& b, const Pose& bToA,
             std::size_t maxLeafPairs) noexcept;

  [[nodiscard]] bool ended() const noexcept { return stage_ == Stage::Ended; }
  /// Once it has ended.
  [[nodiscard]] const std::optional<ContactPoint>& found() const noexcept { return found_; }

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
  std::optional<ContactPoint> found_;
};

}  // namespace nearmiss
