// SPDX-License-Identifier: MIT
/// Searches for pieces of one body inside another.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "geometry/wide_boxes.h"

namespace nearmiss {

/// oneInsideOther() in steps: first b's pieces in a, then a's pieces in b.
class PiecesInside {
 public:
  static constexpr std::size_t freePieces = 64;

  /// Both must outlive the last step. `b` is moved by `bToA` into the frame of `a`.
  void begin(const Polyhedron& a, const Polyhedron& b, const Pose& bToA) noexcept;

  /// Returns an upper bound of the volume of each piece of a body.
  [[nodiscard]] static Real largestPiece(const Polyhedron& body) noexcept;

  [[nodiscard]] bool ended() const noexcept { return search_ == Search::Ended; }
  /// Returns true once a piece was found; the search has then ended.
  [[nodiscard]] bool found() const noexcept { return found_; }

  /// The cost of testing whether a point is inside a body, in tests of bounds.
  static constexpr std::uint64_t pointPrice = 100;

  /// Tests some pieces that are near each other, and adds the work to `tests`, in tests of bounds.
  /// A body of up to freePieces pieces is not charged, because the subsequent work takes longer.
  /// @pre not ended()
  void step(std::uint64_t& tests);

 private:
  enum class Search : std::uint8_t { OfB, OfA, Ended };

  void enter(Search search) noexcept;
  void leave() noexcept { enter(search_ == Search::OfB ? Search::OfA : Search::Ended); }
  void finish() noexcept;
  [[nodiscard]] bool look(std::uint32_t slot, std::uint64_t& tests);
  [[nodiscard]] bool inside(std::uint32_t piece) const;
  [[nodiscard]] bool holds(const Vec3& own) const;
  [[nodiscard]] Vec3 toOuter(const Vec3& own) const noexcept;
  [[nodiscard]] const Polyhedron& inner() const noexcept {
    return search_ == Search::OfB ? *b_ : *a_;
  }
  [[nodiscard]] const Polyhedron& outer() const noexcept {
    return search_ == Search::OfB ? *a_ : *b_;
  }

  const Polyhedron* a_ = nullptr;
  const Polyhedron* b_ = nullptr;
  Pose bToA_;
  Quat toB_;
  Real slack_ = 0.0;
  Search search_ = Search::Ended;
  bool found_ = false;
  /// Stack of slots of the inner body's hierarchy of pieces, the next one last.
  std::array<std::uint32_t, WideBoxes::maxWaiting> waiting_;
  std::size_t size_ = 0;
};

}  // namespace nearmiss
