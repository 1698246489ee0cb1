// SPDX-License-Identifier: MIT
/// The volume that a surface encloses, as rows and as cells. For a solid the whole surface counts,
/// otherwise each closed part separately.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/spheres.h>

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
  /// @param cancelled once set, returns soon, and some parts are missing; null: never
  explicit SolidParts(const Polyhedron& polyhedron, const std::atomic<bool>* cancelled = nullptr);

  /// Returns true if no volume is enclosed.
  [[nodiscard]] bool empty() const noexcept { return surfaces().empty(); }
  /// Returns true if `point` (body frame) is enclosed. Decided exactly.
  [[nodiscard]] bool contains(const Vec3& point) const;
  /// Number of closed parts that are treated as open surface, because there are too many.
  [[nodiscard]] std::size_t leftOut() const noexcept { return leftOut_; }
  /// The closed surfaces that together enclose the volume.
  [[nodiscard]] const std::vector<const TriangleMesh*>& surfaces() const noexcept {
    return surfaces_;
  }

 private:
  const Polyhedron* solid_ = nullptr;  ///< null: use the parts
  std::vector<Polyhedron> parts_;
  std::vector<const TriangleMesh*> surfaces_;
  std::size_t leftOut_ = 0;
};

/// A part of a row, from `begin` to `end` along x.
struct RowPart {
  Real begin = 0.0, end = 0.0;
};

/// Lines along x through the centres of square cells of a region in y and z. Only one layer, the
/// lines of equal z, is stored at a time, because all lines together may cross the surfaces
/// hundreds of millions of times.
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
  /// Computes the inside parts of the lines of the next layer; the first call computes the first
  /// layer.
  /// @pre called less than countZ() times
  void nextLayer();
  /// The inside parts of row `y` of the current layer, ascending and disjoint.
  [[nodiscard]] std::span<const RowPart> inside(int y) const noexcept {
    return inside_[static_cast<std::size_t>(y)];
  }

 private:
  /// A triangle and the layers that it may cross.
  struct Crossed {
    std::uint32_t surface, triangle;
    int first, last;
  };
  /// Where a line of the layer crosses a surface, and whether the surface faces -x (1) or +x (-1)
  /// there.
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
  std::vector<Crossed> crossed_;  ///< triangles of later layers, sorted by first layer, descending
  std::vector<Crossed> open_;     ///< triangles that may cross the current layer
  std::vector<Crossing> crossings_;           ///< of the current layer
  std::vector<std::vector<RowPart>> inside_;  ///< by y
};

/// Sorts parts and joins those that meet.
void joinParts(std::vector<RowPart>& parts);

/// A grid of cells that counts how many balls contain each cell. Measures the part of a union of
/// balls outside a solid.
class VolumeGrid {
 public:
  /// Divides the region into about `cells` cubes.
  /// @param cancelled optional; once set, returns soon, and the inside is undefined
  VolumeGrid(const SolidParts& parts, const Box& region, std::size_t cells,
             const std::atomic<bool>* cancelled = nullptr);

  [[nodiscard]] Real spacing() const noexcept { return spacing_; }
  /// Returns true if the ball lies in the region. Cells outside the region are not counted.
  [[nodiscard]] bool holds(const Sphere& ball) const noexcept;
  /// Number of cells outside the solid in `ball` and in none of the added balls. If there are more
  /// than `enough`, any number above `enough`.
  [[nodiscard]] std::int64_t free(
      const Sphere& ball,
      std::int64_t enough = std::numeric_limits<std::int64_t>::max()) const noexcept;
  /// Adds a ball. Returns the number of cells outside the solid that were in no ball before.
  std::int64_t add(const Sphere& ball) noexcept;
  /// Removes a ball. Returns the number of cells outside the solid that are in no ball any more.
  /// @pre the same ball was added
  std::int64_t remove(const Sphere& ball) noexcept;
  /// What remove() would return.
  [[nodiscard]] std::int64_t own(const Sphere& ball) const noexcept;
  /// Returns the centres of about `count` cells inside the solid, evenly distributed.
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
  std::size_t words_;                 ///< words per row
  std::vector<std::uint64_t> solid_;  ///< bit per cell: its centre is inside
  std::vector<std::uint64_t> free_;   ///< bit per cell: outside, and in no ball
  std::vector<std::uint16_t> balls_;  ///< per cell: number of balls that contain it
};

inline constexpr int usualRows = 256;
/// As measureUnion(polyhedron, spheres, rows), for a body whose parts are known.
/// @param cancelled optional; once set, returns soon with the volume measured so far
[[nodiscard]] UnionVolume measureUnion(const Polyhedron& polyhedron, const SolidParts& parts,
                                       std::span<const Sphere> spheres, int rows = usualRows,
                                       const std::atomic<bool>* cancelled = nullptr);

}  // namespace nearmiss
