// SPDX-License-Identifier: MIT
/// Colours for the tightness of spheres: blue is tight, amber is loose; safe for colour vision
/// deficiencies.
#pragma once

#include <engine/model/draw_mesh.h>
#include <nearmiss/advanced/sphere_tree.h>

#include <glm/vec3.hpp>
#include <vector>

#include "fly/gfx/camera.h"

namespace nearmiss::app::fly {

/// A logarithmic scale over H, the Hausdorff distance in metres, from tight to loose spheres.
class TightnessScale {
 public:
  /// Adds the H of one sphere; values that are not positive are ignored.
  void include(double h);
  /// Call after the last include(). The scale ends at the maximum and starts at the 5 % quantile,
  /// so that a few very tight spheres do not use up the colours. 1 mm to 1 m if there are no
  /// values.
  void settle();
  [[nodiscard]] double low() const noexcept { return low_; }
  [[nodiscard]] double high() const noexcept { return high_; }
  /// Position on the scale: 0 at low() and below, 1 at high() and above.
  [[nodiscard]] double place(double h) const noexcept;
  /// sRGB colour of a position in [0, 1].
  [[nodiscard]] static glm::vec3 colourAt(double place) noexcept;

 private:
  std::vector<double> values_;
  double low_ = 1e-3, high_ = 1.0;
};

/// The spheres that cover the model down to a level: those of the level, and leaves above it.
struct ShownLevel {
  struct Ball {
    Sphere sphere;  ///< body frame
    double h = 0.0;
  };
  std::vector<Ball> balls;
  double hMean = 0.0, hMax = 0.0;  ///< metres
};
[[nodiscard]] ShownLevel shownLevel(const SphereTree& tree, int level);

/// Pose of the model in every cell: nose to the left and towards the eye, seen slightly from above,
/// at the origin.
[[nodiscard]] Pose sheetPose();

/// The extent of everything in a row, seen along -z, and the camera that frames it.
class SheetView {
 public:
  void include(const engine::DrawMesh& object);
  void include(const ShownLevel& level);
  /// Width / height of the included extent, within the limits of a page.
  [[nodiscard]] double aspect() const noexcept;
  [[nodiscard]] Camera camera() const noexcept;
  /// For a picture of that width.
  [[nodiscard]] double pixelsPerMetre(double width) const noexcept;

 private:
  void include(const Vec3& centre, double radius);
  [[nodiscard]] double height() const noexcept;
  Vec3 low_{1e30}, high_{-1e30};
};

}  // namespace nearmiss::app::fly
