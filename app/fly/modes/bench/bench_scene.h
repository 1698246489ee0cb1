// SPDX-License-Identifier: MIT
/// The picture of the bench: both bodies as large as the free part of the window allows, on a grid
/// in metres, with contacts, glow and shadows.
#pragma once

#include <array>
#include <glm/vec2.hpp>
#include <optional>
#include <vector>

#include "fly/gfx/draw_frame.h"
#include "fly/modes/bench/bench.h"
#include "fly/overlay/layout.h"
#include "fly/overlay/palette.h"

namespace nearmiss::app::fly {

class Ink;

/// Returns the largest of 1, 2 and 5 times a power of ten that is at most `length`, metres.
/// @pre length is positive and finite
[[nodiscard]] Real roundLength(Real length) noexcept;

class BenchScene {
 public:
  using Poses = std::array<Pose, 2>;

  /// Measures the bodies. The next look() places the eye at once.
  void setBodies(const Bench& bench);
  /// Places the eye for a picture in `part` of the window, pixels, with the angles and the zoom of
  /// `rig`. While `moves` is true, the eye keeps distance and focus; otherwise it approaches the
  /// place where both bodies fill the picture.
  /// @param seconds  wall time since the last call; infinite: the eye is there at once
  void look(CameraRig& rig, const Poses& poses, const Rect& part, bool moves, double seconds);
  [[nodiscard]] const Camera& camera() const noexcept { return camera_; }
  [[nodiscard]] const Rect& part() const noexcept { return part_; }
  /// Returns the shift that moves a body back into the picture, metres; zero if it is inside.
  [[nodiscard]] Vec3 backInside(std::size_t body, const Pose& pose) const;
  /// Returns the body at a pixel of the window.
  [[nodiscard]] std::optional<std::size_t> bodyAt(const Bench& bench, const Poses& poses,
                                                  const glm::vec2& at) const;
  /// Metres per pixel of the window at this distance in front of the eye.
  [[nodiscard]] Real perPixel(Real depth) const noexcept;

  /// Composes the picture; valid until the next call. `reading` may be null.
  [[nodiscard]] const DrawFrame& compose(const Bench& bench, const BenchSetup& setup,
                                         const BenchReading* reading, std::size_t inHand);
  /// Draws contacts, gap or penetration, names and scale over the picture. `reading` as above.
  void label(const Ink& ink, const Bench& bench, const BenchSetup& setup,
             const BenchReading* reading, std::size_t inHand) const;

  // View distance at which both bodies fill the picture, in units of CameraRig
  static constexpr double wholeView = 4.0;

 private:
  struct Fit {
    Vec3 centre{0.0};
    Real distance = 1.0, ground = 0.0;  ///< ground: height of the grid, metres
  };
  [[nodiscard]] Fit fit(const Quat& eye, const Poses& poses) const;
  void addGrid();
  void addShadow(const Sphere& around, Rgb colour);
  void labelScale(const Ink& ink) const;
  void labelWay(const Ink& ink, const BenchReading& reading, Real arrow) const;

  std::array<std::vector<Vec3>, 2> extremes_;  ///< outermost vertices, body frame
  Fit fit_;
  bool placed_ = false;
  Rect part_;
  Camera camera_;
  DrawFrame frame_;
  std::vector<ShipInstance> bodies_;
  std::vector<DrawSphere> spheres_;
  std::vector<DrawLine> lines_;
  std::vector<DrawLight> lights_;
};

}  // namespace nearmiss::app::fly
