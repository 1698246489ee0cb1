// SPDX-License-Identifier: MIT
/// Marks over the scene by which one flies: where the nose points, where the ship drifts and how
/// fast, who is near or out of view, how far the wall is.
#pragma once

#include <nearmiss/body_state.h>

#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <vector>

#include "fly/flight.h"
#include "fly/gfx/camera.h"
#include "fly/overlay/layout.h"
#include "fly/view/surroundings.h"

namespace nearmiss::app::fly {

class Ink;
struct Ground;

/// Directions to things out of view: arrows at the edge of the scene.
struct EdgeArrow {
  glm::vec2 tip{0.0f};    ///< pixels, on the edge
  glm::vec2 way{0.0f};    ///< unit vector towards it, y down
  double distance = 0.0;  ///< metres from the user's ship, between the middles
  bool middle = false;    ///< of the arena; else a ship
  std::size_t ship = 0;   ///< its index
};

/// Adds a place to those that are taken, unless it meets one of them: then false.
bool takePlace(std::vector<Rect>& taken, const Rect& place);

class FlightCues {
 public:
  /// `area` is what panels leave of the window to the scene, pixels. `fromShip`: the eye follows
  /// the ship and looks where it does. No arrow is drawn over `panels`, and no word over these or
  /// over `words`, where others stand already.
  void draw(const Ink& ink, const Flight& flight, const Camera& camera, bool fromShip,
            const glm::vec2& window, const Rect& area, std::span<const Ground> panels,
            std::span<const Rect> words = {});

  /// See Surroundings::forget().
  void forget() noexcept { surroundings_.forget(); }

  /// Seconds until the own ship is hit, as draw() found it; nothing where it is not.
  [[nodiscard]] const std::optional<double>& contactIn() const noexcept { return contactIn_; }

 private:
  /// Common to all marks of a frame.
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
  static void drawHeading(const Picture& picture, const BodyState& own, const NearShip* nearest);
  /// A ring on the ship that will be hit first, and when.
  static void drawFirstHit(const Picture& picture, std::span<const BodyState> bodies,
                           const NearShip& first);
  static void drawRim(const Picture& picture, const BodyState& own, double radius, bool wall);
  void drawArrows(const Picture& picture, std::span<const BodyState> bodies, std::size_t own,
                  const Shapes& shapes, double reach, std::size_t covered);

  Surroundings surroundings_;
  std::optional<double> contactIn_;
  std::vector<EdgeArrow> arrows_;
  std::vector<Rect> said_;  ///< in this frame
};

inline constexpr std::size_t maxEdgeArrows = 5;

/// Where the straight way from the middle of `area` leaves it. @pre `way` is a unit vector
[[nodiscard]] glm::vec2 edgeOf(const Rect& area, const glm::vec2& way) noexcept;

/// The way on the picture, a unit vector, y down, in which a turn brings `world` to the middle of
/// `area`.
[[nodiscard]] glm::vec2 wayTo(const Camera& camera, const glm::vec2& window, const Rect& area,
                              const Vec3& world) noexcept;

/// True if the picture shows the point within `area`; `pixel` is where, unless it is behind the
/// eye.
[[nodiscard]] bool shows(const Camera& camera, const glm::vec2& window, const Rect& area,
                         const Vec3& world, glm::vec2& pixel) noexcept;

/// Writes to `arrows` the ships whose middles are not in `area`, but for `own`, the nearest first;
/// where none is in it, and the arena's middle is neither, an arrow to that as well.
void findEdgeArrows(const Camera& camera, const glm::vec2& window, const Rect& area,
                    std::span<const BodyState> bodies, std::size_t own,
                    std::vector<EdgeArrow>& arrows);

}  // namespace nearmiss::app::fly
