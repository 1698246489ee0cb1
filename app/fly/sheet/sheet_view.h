// SPDX-License-Identifier: MIT
/// How tightly a sphere fits, as a colour: blue is tight, amber is loose, safe for the
/// colour-blind.
#pragma once

#include <engine/model/draw_mesh.h>
#include <nearmiss/sphere_tree.h>

#include <glm/vec3.hpp>
#include <vector>

#include "fly/gfx/camera.h"

namespace nearmiss::app::fly {

/// Logarithmic, from the tightest spheres to the loosest, in metres of H, the Hausdorff distance.
class TightnessScale {
 public:
  /// Takes up the H of one sphere; what is not above 0 does not count.
  void include(double h);
  /// After the last include(): the ends are the largest H, and the one that one sphere in twenty is
  /// below, so that a few needles do not use up the colours. 1 mm to 1 m where there was none.
  void settle();
  [[nodiscard]] double low() const noexcept { return low_; }
  [[nodiscard]] double high() const noexcept { return high_; }
  /// 0 at low() and below, 1 at high() and above.
  [[nodiscard]] double place(double h) const noexcept;
  /// sRGB, of a point in [0, 1] of the scale.
  [[nodiscard]] static glm::vec3 colourAt(double place) noexcept;

 private:
  std::vector<double> values_;
  double low_ = 1e-3, high_ = 1.0;
};

/// The contents of the cells of a tree sheet, and one view that suits all of a row.
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
  /// In a picture of that width.
  [[nodiscard]] double pixelsPerMetre(double width) const noexcept;

 private:
  void include(const Vec3& centre, double radius);
  [[nodiscard]] double height() const noexcept;
  Vec3 low_{1e30}, high_{-1e30};
};

}  // namespace nearmiss::app::fly
