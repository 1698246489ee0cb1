// SPDX-License-Identifier: MIT
/// Delaunay tetrahedra of points in space, with exact decisions even if points are cospherical or
/// coplanar [H96 §7].
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// Incremental insertion [B81]. No point lies inside the circumsphere of a tetrahedron. If a point
/// lies on it, the ranks of the points decide, as if points were lifted by an infinitesimal [DT03].
/// So all tetrahedra have a volume and fit together.
class Delaunay {
 public:
  struct Tetrahedron {
    std::array<std::uint32_t, 4> corners;  ///< with positive orientation()
    std::array<std::uint32_t, 4> across;   ///< the tetrahedron beyond the face opposite each corner
  };
  static constexpr std::uint32_t none = 0xffffffff;

  /// Triangulates distinct points, within a tetrahedron of four far corners that are more than 60
  /// extents away. The far corners are numbered after the points, and the outer faces have no
  /// neighbours.
  /// @param skip per point: true if it is left out; it is then in no tetrahedron
  /// @param cancelled optional; once set, further points are left out
  Delaunay(std::span<const Vec3> points, const std::vector<bool>& skip,
           const std::atomic<bool>* cancelled = nullptr);

  /// The points, followed by the four far corners.
  [[nodiscard]] const std::vector<Vec3>& points() const noexcept { return points_; }
  [[nodiscard]] bool isFar(std::uint32_t corner) const noexcept {
    return corner + 4 >= points_.size();
  }
  [[nodiscard]] const std::vector<Tetrahedron>& tetrahedra() const noexcept { return tetrahedra_; }

 private:
  /// A face of the cavity around a new point.
  struct Rim {
    std::uint32_t outside;   ///< the tetrahedron beyond it, or none
    std::uint32_t backFace;  ///< number of this face in `outside`
    std::array<std::uint32_t, 3> corners;
  };
  /// A face through the new point, given by its two other corners.
  struct Wall {
    std::uint64_t edge;
    std::uint32_t tetrahedron, face;
  };
  void enclose();
  [[nodiscard]] std::vector<std::uint32_t> insertionOrder(const std::vector<bool>& skip) const;
  void insert(std::uint32_t point);
  [[nodiscard]] std::uint32_t locate(std::uint32_t point);
  [[nodiscard]] bool conflicts(const Tetrahedron& tetrahedron, std::uint32_t point) const noexcept;
  void hollow(std::uint32_t point, std::uint32_t start);
  void fill(std::uint32_t point);
  void dropFree();

  std::vector<Vec3> points_;
  std::vector<std::uint32_t> rank_;
  std::vector<Tetrahedron> tetrahedra_;  ///< during construction, free ones have corners[0] == none
  std::vector<std::uint32_t> free_, hollow_;
  std::vector<Rim> rim_;
  std::vector<Wall> walls_;
  std::vector<std::uint32_t> mark_;  ///< per tetrahedron: the last point tested, and the result
  std::uint32_t last_ = 0;
};

}  // namespace nearmiss
