// SPDX-License-Identifier: MIT
/// What the cells of a tree sheet show, and one view that suits all of a row.
#pragma once

#include <engine/model/draw_mesh.h>
#include <nearmiss/sphere_tree.h>

#include <vector>

#include "fly/gfx/camera.h"

namespace nearmiss::app {

/// The spheres that cover the model when one looks no deeper than a level: those of the level, and
/// leaves above it.
struct ShownLevel {
  struct Ball {
    Sphere sphere;  ///< body frame
    double h = 0.0;
  };
  std::vector<Ball> balls;
  double hMean = 0.0, hMax = 0.0;  ///< metres
};
[[nodiscard]] ShownLevel shownLevel(const SphereTree& tree, int level);

/// How the model stands in every cell: nose to the left and towards the eye, seen from a little
/// above, at rest about the origin.
[[nodiscard]] Pose sheetPose();

/// The extent of everything in a row, seen along -z, and the camera that just holds it.
class SheetView {
 public:
  void include(const engine::DrawMesh& object);
  void include(const ShownLevel& level);
  /// Width over height of what was included, within what a page can use.
  [[nodiscard]] double aspect() const noexcept;
  [[nodiscard]] Camera camera() const noexcept;
  /// In a picture so many pixels wide.
  [[nodiscard]] double pixelsPerMetre(double width) const noexcept;

 private:
  void include(const Vec3& centre, double radius);
  [[nodiscard]] double height() const noexcept;
  Vec3 low_{1e30}, high_{-1e30};
};

}  // namespace nearmiss::app
