// SPDX-License-Identifier: MIT
/// Converts a flight and its marks for the renderer, and draws the labels.
#pragma once

#include <engine/game/mission.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fly/gfx/draw_frame.h"
#include "fly/overlay/overlay.h"
#include "fly/view/bound_drawing.h"
#include "fly/view/collision_marks.h"
#include "fly/view/impacts.h"

namespace nearmiss::app::fly {

class Ink;

/// Returns true if a ship may hide the user's ship from the eye. Both are given by their spheres.
[[nodiscard]] bool hides(const Vec3& eye, const Sphere& other, const Sphere& own) noexcept;

class SceneDrawing {
 public:
  /// Views into this object, valid until the next call.
  const DrawFrame& compose(const Flight& flight, const CollisionMarks& marks,
                           const Impacts& impacts, const UiState& ui, const Camera& camera,
                           CameraMode mode, std::size_t followed, double wallSeconds);

  /// The ships that the last frame draws translucent, and `more` of them. Valid as above.
  [[nodiscard]] std::span<const ShipInstance> withGhosts(std::span<const ShipInstance> more);
  /// Sets the rings of missions and lessons in the next picture; the first is to be passed next.
  void showGates(std::span<const engine::Gate> gates) { gates_.assign(gates.begin(), gates.end()); }
  /// Adds a tow beam between two bodies, by their keys, to the next picture.
  void showBeam(std::uint32_t ship, std::uint32_t body) { beams_.push_back({ship, body}); }

  /// Draws levels and bounds next to their collisions, outside the panels, with contact points;
  /// also a line between the nearest points of the picked pair, or its contact points. Both may be
  /// null. Returns the areas of its labels, valid until the next call.
  std::span<const Rect> label(const Ink& ink, const CollisionMarks& marks, const UiState& ui,
                              glm::vec2 window, std::span<const Ground> panels,
                              const std::optional<NearestPoints>& nearest = {},
                              const ContactManifold* picked = nullptr);
  /// Draws a line between two points, with a label.
  void joinWith(const Ink& ink, const NearestPoints& points, std::string_view words,
                glm::vec2 window) const;

 private:
  void addShips(const Flight& flight, const CollisionMarks& marks, const UiState& ui,
                const Camera& camera, CameraMode mode, std::size_t followed);
  void addMarks(const CollisionMarks& marks);
  void addPickedPair(const Flight& flight, const UiState& ui);
  void addBounds(const Flight& flight, const UiState& ui);
  void drawMarkedContacts(const Ink& ink, const CollisionMarks& marks, const UiState& ui,
                          glm::vec2 window) const;
  void drawPickedContact(const Ink& ink, const ContactManifold& manifold, glm::vec2 window);
  void joinNearest(const Ink& ink, const NearestPoints& points, glm::vec2 window) const;
  void addLevel(const Flight& flight, std::size_t index, int level);

  std::vector<ShipInstance> ships_, faded_;
  std::vector<DrawSphere> spheres_;
  std::vector<DrawBall> shells_;
  std::vector<DrawLine> lines_, arcs_;
  std::vector<DrawTriangle> triangles_;
  std::vector<DrawLight> lights_;
  std::vector<ContactSpheres> contacts_;
  std::vector<SphereId> ids_;
  std::vector<Rect> tags_;           ///< panels, then labels
  std::vector<std::size_t> chosen_;  ///< indices of the ships shown in detail; two for a pair
  Real chosenRadius_ = 1.0;          ///< of the smallest of them, metres
  std::vector<engine::Gate> gates_;
  std::vector<std::array<std::uint32_t, 2>> beams_;  ///< keys of their ends
  BoundDrawing bounds_;
  std::vector<Vec3> positions_;  ///< of the ships, for labels
  DrawFrame frame_;
};

}  // namespace nearmiss::app::fly
