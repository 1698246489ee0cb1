// SPDX-License-Identifier: MIT
/// Turns a flight and its marks into what the renderer draws, and writes the labels over it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fly/gfx/draw_frame.h"
#include "fly/overlay/overlay.h"
#include "fly/view/bound_drawing.h"
#include "fly/view/collision_marks.h"

namespace nearmiss::app::fly {

class Ink;

class SceneDrawing {
 public:
  /// Views into this object, valid until the next call.
  const DrawFrame& compose(const Flight& flight, const CollisionMarks& marks,
                           const Impacts& impacts, const UiState& ui, const Camera& camera,
                           CameraMode mode, double wallSeconds);

  /// Levels and bounds at the collisions that they belong to, beside the panels, and their contact
  /// points; a line between the nearest points of the picked pair, or its own contact points, which
  /// may be null. Returns where its words stand, valid until the next call.
  std::span<const Rect> label(const Ink& ink, const CollisionMarks& marks, const UiState& ui,
                              glm::vec2 window, std::span<const Ground> panels,
                              const std::optional<NearestPoints>& nearest = {},
                              const ContactManifold* picked = nullptr);
  /// A line between two points, and words beside it.
  void joinWith(const Ink& ink, const NearestPoints& points, std::string_view words,
                glm::vec2 window) const;

 private:
  void addShips(const Flight& flight, const CollisionMarks& marks, const UiState& ui,
                CameraMode mode);
  void addMarks(const CollisionMarks& marks);
  void addPickedPair(const Flight& flight, const UiState& ui);
  void addBounds(const Flight& flight, const UiState& ui);
  void drawMarkedContacts(const Ink& ink, const CollisionMarks& marks, const UiState& ui,
                          glm::vec2 window) const;
  void drawPickedContact(const Ink& ink, const ContactManifold& manifold, glm::vec2 window);
  void joinNearest(const Ink& ink, const NearestPoints& points, glm::vec2 window) const;
  void addLevel(const Flight& flight, std::size_t index, int level);

  std::vector<ShipInstance> ships_;
  std::vector<DrawSphere> spheres_;
  std::vector<DrawBall> shells_;
  std::vector<DrawLine> lines_;
  std::vector<DrawTriangle> triangles_;
  std::vector<DrawLight> lights_;
  std::vector<ContactSpheres> contacts_;
  std::vector<SphereId> ids_;
  std::vector<Rect> tags_;           ///< panels, then words
  std::vector<std::size_t> chosen_;  ///< indices of the ships shown in detail, two if as a pair
  Real chosenRadius_ = 1.0;          ///< metres, of the smallest of them
  BoundDrawing bounds_;
  std::vector<Vec3> positions_;  ///< of the ships, for labels
  DrawFrame frame_;
};

}  // namespace nearmiss::app::fly
