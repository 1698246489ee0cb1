// SPDX-License-Identifier: MIT
/// A shaded view of a link's surface: a grid of cells with the nearest point of each.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace nearmiss::app::robot {

/// A view direction: axes of the link that point right, up, and to the viewer.
struct ViewSide {
  std::string_view name;
  Vec3 right, up, toViewer;
};

inline constexpr std::size_t shadesOfSurface = 8;

struct SurfaceCell {
  std::uint8_t shade = 0;  ///< below shadesOfSurface, from dark to light
  bool shown = false;      ///< there is surface in the cell
  bool outside = false;    ///< its point is outside all spheres
};

/// Square cells that cover the picture, row by row from the top.
class SurfaceView {
 public:
  /// @param low,high corners of the picture, along right and up, metres
  /// @param cell side of a cell, metres
  SurfaceView(const TriangleMesh& mesh, std::span<const Sphere> spheres, const ViewSide& side,
              const std::array<Real, 2>& low, const std::array<Real, 2>& high, Real cell);

  [[nodiscard]] std::size_t width() const noexcept { return width_; }
  [[nodiscard]] std::size_t height() const noexcept { return height_; }
  [[nodiscard]] const SurfaceCell& at(std::size_t x, std::size_t y) const noexcept {
    return cells_[y * width_ + x];
  }

 private:
  void draw(const Triangle& triangle, const ViewSide& side);
  void put(const Vec3& point, std::uint8_t shade, const ViewSide& side);

  std::array<Real, 2> low_;
  Real cell_;
  std::size_t width_, height_;
  std::vector<SurfaceCell> cells_;
  std::vector<Vec3> points_;  ///< by cell: the visible point
  std::vector<Real> depths_;
};

}  // namespace nearmiss::app::robot
