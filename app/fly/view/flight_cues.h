// SPDX-License-Identifier: MIT
/// Marks over the scene by which one flies: where the nose points, where the ship drifts and how
/// fast, who is near or out of view, how far the arena's rim is.
#pragma once

#include <nearmiss/body_state.h>

#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <vector>

#include "fly/flight.h"
#include "fly/gfx/camera.h"
#include "fly/overlay/layout.h"
#include "fly/view/edge_arrows.h"

namespace nearmiss::app {

class Ink;

/// The ship whose middle is nearest to that of another.
struct NearestShip {
  double distance = 0.0;  ///< metres between the middles
  double closing = 0.0;   ///< metres a second by which that shrinks
};
[[nodiscard]] std::optional<NearestShip> nearestShip(std::span<const BodyState> bodies,
                                                     std::size_t own) noexcept;

/// Adds a place to those that are taken, unless it meets one of them: then false.
bool takePlace(std::vector<Rect>& taken, const Rect& place);

class FlightCues {
 public:
  /// `area` is what panels leave of the window to the scene, pixels. `fromShip`: the eye follows
  /// the ship and looks where it does.
  void draw(const Ink& ink, const Flight& flight, const Camera& camera, bool fromShip,
            const glm::vec2& window, const Rect& area);

 private:
  /// What all marks of a frame have in common.
  struct Picture {
    const Ink& ink;
    const Camera& camera;
    glm::vec2 window;
    Rect area;
    std::vector<Rect>& said;  ///< where words stand: others are left out there
  };
  static void say(const Picture& picture, const glm::vec2& at, std::string_view words);
  static void sayBehind(const Picture& picture, const EdgeArrow& arrow, float size,
                        std::string_view words);
  static void drawHeading(const Picture& picture, const BodyState& own,
                          const std::optional<NearestShip>& nearest);
  static void drawRim(const Picture& picture, const BodyState& own, double radius);
  void drawArrows(const Picture& picture, std::span<const BodyState> bodies, std::size_t own,
                  double reach);

  std::vector<EdgeArrow> arrows_;
  std::vector<Rect> said_;  ///< in this frame
};

}  // namespace nearmiss::app
