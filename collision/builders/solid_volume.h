// SPDX-License-Identifier: MIT
/// The volume that a surface encloses, all of a solid or its closed parts one by one, in rows and
/// in cells.
#pragma once

#include <nearmiss/flat_set.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace nearmiss {

class SolidParts {
 public:
  /// @param polyhedron must outlive this
  /// @param cancelled once set, some parts are missing, and it ends soon; null: never
  explicit SolidParts(const Polyhedron& polyhedron, const std::atomic<bool>* cancelled = nullptr);

  /// True if nothing is enclosed.
  [[nodiscard]] bool empty() const noexcept { return surfaces().empty(); }
  /// True if `point` (body frame) is enclosed, decided exactly.
  [[nodiscard]] bool contains(const Vec3& point) const;
  /// Number of closed parts that count as surface alone, because there are too many.
  [[nodiscard]] std::size_t leftOut() const noexcept { return leftOut_; }
  /// Closed surfaces that enclose it all, each by itself.
  [[nodiscard]] const std::vector<const TriangleMesh*>& surfaces() const noexcept {
    return surfaces_;
  }

 private:
  const Polyhedron* solid_ = nullptr;  ///< null: the parts count
  std::vector<Polyhedron> parts_;
  std::vector<const TriangleMesh*> surfaces_;
  std::size_t leftOut_ = 0;
};

/// A part of a row, from `begin` to `end` along x.
struct RowPart {
  Real begin = 0.0, end = 0.0;
};

/// Lines along x through the middles of square cells of a region in y and z. Those of one z, a
/// layer, are known at a time: all together may cross the surfaces hundreds of millions of times.
class SolidRows {
 public:
  /// @param parts must outlive this
  /// @param spacing of the lines, metres, above 0
  SolidRows(const SolidParts& parts, const Box& region, Real spacing);

  [[nodiscard]] Real spacing() const noexcept { return spacing_; }
  [[nodiscard]] const Vec3& low() const noexcept { return low_; }
  /// Number of lines along y and z.
  [[nodiscard]] int countY() const noexcept { return countY_; }
  [[nodiscard]] int countZ() const noexcept { return countZ_; }
  [[nodiscard]] Real yOf(int y) const noexcept { return low_.y + (y + 0.5) * spacing_; }
  [[nodiscard]] Real zOf(int z) const noexcept { return low_.z + (z + 0.5) * spacing_; }
  /// Finds what lies inside along the lines of the next layer, the first one at first.
  /// @pre called less than countZ() times
  void nextLayer();
  /// Of the layer found last: ascending, apart from each other.
  [[nodiscard]] std::span<const RowPart> inside(int y) const noexcept {
    return inside_[static_cast<std::size_t>(y)];
  }

 private:
  /// A triangle and the layers that it may cross.
  struct Crossed {
    std::uint32_t surface, triangle;
    int first, last;
  };
  /// Where a line of the layer crosses a surface, and whether the surface faces to -x there (1) or
  /// to +x (-1).
  struct Crossing {
    int y;
    std::uint32_t surface;
    Real x;
    int side;
  };
  [[nodiscard]] int firstLine(Real at, Real from) const noexcept;
  [[nodiscard]] int lastLine(Real at, Real from, int count) const noexcept;
  void cross(const Crossed& crossed);
  void fillRows();

  const std::vector<const TriangleMesh*>& surfaces_;
  Vec3 low_;
  Real spacing_;
  int countY_, countZ_;
  int layer_ = -1;
  std::vector<Crossed> crossed_;              ///< by first layer, descending: those yet to come
  std::vector<Crossed> open_;                 ///< that may cross the layer
  std::vector<Crossing> crossings_;           ///< of the layer
  std::vector<std::vector<RowPart>> inside_;  ///< by y
};

/// Puts parts in order and joins those that meet.
void joinParts(std::vector<RowPart>& parts);

/// Cells of space that count how many balls hold them: the part of a union of balls outside of a
/// solid.
class VolumeGrid {
 public:
  /// About `cells` cubes over the region.
  /// @param cancelled once set, if given, it ends soon, and what is inside is not known
  VolumeGrid(const SolidParts& parts, const Box& region, std::size_t cells,
             const std::atomic<bool>* cancelled = nullptr);

  [[nodiscard]] Real spacing() const noexcept { return spacing_; }
  /// True if the ball lies in the region, beyond which nothing is counted.
  [[nodiscard]] bool holds(const Sphere& ball) const noexcept;
  /// Number of cells outside the solid in `ball` and in no ball that was added; or, where these are
  /// more than `enough`, any number above it.
  [[nodiscard]] std::int64_t free(
      const Sphere& ball,
      std::int64_t enough = std::numeric_limits<std::int64_t>::max()) const noexcept;
  /// Returns how many cells outside the solid no ball held before.
  std::int64_t add(const Sphere& ball) noexcept;
  /// Returns how many cells outside the solid no ball holds any more.
  /// @pre the same ball was added
  std::int64_t remove(const Sphere& ball) noexcept;
  /// What remove() would return.
  [[nodiscard]] std::int64_t own(const Sphere& ball) const noexcept;
  /// The middles of cells inside of the solid, about `count` of them, evenly.
  [[nodiscard]] std::vector<Vec3> insidePoints(std::size_t count) const;

 private:
  void forEachRow(const Sphere& ball, const auto& visit) const noexcept;
  [[nodiscard]] std::size_t rowAt(int y, int z) const noexcept {
    return static_cast<std::size_t>(z) * static_cast<std::size_t>(count_[1]) +
           static_cast<std::size_t>(y);
  }

  Box region_;
  Real spacing_;
  int count_[3];
  std::size_t words_;                 ///< of a row
  std::vector<std::uint64_t> solid_;  ///< a bit per cell: its middle is inside
  std::vector<std::uint64_t> free_;   ///< outside, and in no ball
  std::vector<std::uint16_t> balls_;  ///< per cell: how many hold it
};

inline constexpr int usualRows = 256;
/// As measureUnion(polyhedron, spheres, rows), of a body whose parts are known.
/// @param cancelled once set, if given, it ends soon with what it has measured
[[nodiscard]] UnionVolume measureUnion(const Polyhedron& polyhedron, const SolidParts& parts,
                                       std::span<const Sphere> spheres, int rows = usualRows,
                                       const std::atomic<bool>* cancelled = nullptr);

}  // namespace nearmiss
