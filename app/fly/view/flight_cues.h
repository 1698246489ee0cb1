// SPDX-License-Identifier: MIT
/// Markers for flying: heading, drift and speed, ships nearby or out of view, distance to the wall.
#pragma once

#include <nearmiss/advanced/body_state.h>

#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <vector>

#include "fly/flight/flight.h"
#include "fly/gfx/camera.h"
#include "fly/overlay/layout.h"
#include "fly/overlay/palette.h"
#include "fly/view/surroundings.h"

namespace nearmiss::app::fly {

class Ink;
struct Ground;

/// Arrows at the edge of the scene towards objects out of view.
struct EdgeArrow {
  glm::vec2 tip{0.0f};    ///< pixels, on the edge
  glm::vec2 way{0.0f};    ///< unit vector towards the object, y down
  double distance = 0.0;  ///< metres, between the centres of the object and the user's ship
  bool middle = false;    ///< the arena's centre; otherwise a ship
  std::size_t ship = 0;   ///< index of the ship
};

/// Adds an area to `taken`. Returns false, without adding it, if it overlaps one of them.
bool reservePlace(std::vector<Rect>& taken, const Rect& place);

class FlightCues {
 public:
  /// Draws the markers. `area` is the part of the window without panels, pixels. `fromShip`: the
  /// eye follows the ship and looks ahead. Arrows avoid `panels`; labels also avoid `words`, the
  /// areas of other labels. `quiet`: markers without words.
  void draw(const Ink& ink, const Flight& flight, const Camera& camera, bool fromShip,
            const glm::vec2& window, const Rect& area, std::span<const Ground> panels,
            std::span<const Rect> words = {}, bool quiet = false);
  /// Sets the ship whose surroundings are marked, by its index; unset: the user's.
  void follow(std::optional<std::size_t> ship) noexcept { followed_ = ship; }
  /// Leaves out the arrow to a ship in the next draw(), because another mark points to it.
  void leaveOut(std::size_t ship) noexcept { leftOut_ = ship; }
  /// Updates nearest() and contactIn() as draw() does. Returns the nearest ships.
  std::span<const NearShip> look(const Flight& flight);

  /// Sets the body that the ship tows, by its key, for the next look(). It is neither near nor
  /// about to hit the ship. 0: none.
  void setTowed(std::uint32_t key) noexcept { towed_ = key; }

  /// See Surroundings::forget().
  void forget() noexcept { surroundings_.forget(); }

  /// Seconds until the ship is hit, as of the last draw(); `nullopt` if no hit is predicted.
  [[nodiscard]] const std::optional<double>& contactIn() const noexcept { return contactIn_; }
  /// The nearest ship likewise; index and distances only.
  [[nodiscard]] const std::optional<NearShip>& nearest() const noexcept { return nearest_; }

 private:
  /// Common to all markers of a frame.
  struct Picture {
    const Ink& ink;
    const Camera& camera;
    glm::vec2 window;
    Rect area;
    std::vector<Rect>& said;  ///< areas with labels; others are dropped there
    bool quiet = false;       ///< no labels
  };
  static void say(const Picture& picture, const glm::vec2& at, std::string_view words);
  static void labelBehind(const Picture& picture, const EdgeArrow& arrow, float size,
                          std::string_view words);
  static void drawHeading(const Picture& picture, const BodyState& own, const NearShip* nearest);
  /// Draws a ring and the time on the ship that will be hit first.
  static void drawFirstHit(const Picture& picture, std::span<const BodyState> bodies,
                           const NearShip& first);
  static void drawRim(const Picture& picture, const BodyState& own, double radius, bool wall);
  void drawArrows(const Picture& picture, std::span<const BodyState> bodies, std::size_t own,
                  const Shapes& shapes, double reach, std::size_t covered);

  Surroundings surroundings_;
  std::optional<double> contactIn_;
  std::optional<NearShip> nearest_;
  std::optional<std::size_t> followed_, leftOut_;
  std::uint32_t towed_ = 0;
  std::vector<EdgeArrow> arrows_;
  std::vector<Rect> said_;  ///< in this frame
};

inline constexpr std::size_t maxEdgeArrows = 5;

/// Draws an arrow of a size in pixels.
void drawArrow(const Ink& ink, const EdgeArrow& arrow, float size, Rgb colour, float alpha);

/// Returns where the ray from the centre of `area` leaves it.
/// @pre `way` is a unit vector
[[nodiscard]] glm::vec2 edgeOf(const Rect& area, const glm::vec2& way) noexcept;

/// Returns the direction on the screen, a unit vector, y down, from the centre of `area` towards
/// `world`.
[[nodiscard]] glm::vec2 wayTo(const Camera& camera, const glm::vec2& window, const Rect& area,
                              const Vec3& world) noexcept;

/// Returns true if the point is visible within `area`. Sets `pixel` unless the point is behind the
/// eye.
[[nodiscard]] bool shows(const Camera& camera, const glm::vec2& window, const Rect& area,
                         const Vec3& world, glm::vec2& pixel) noexcept;

/// Writes arrows to ships with centres outside `area`, except `own`, nearest first. If no ship and
/// not even the arena's centre is visible, adds an arrow to that centre.
void findEdgeArrows(const Camera& camera, const glm::vec2& window, const Rect& area,
                    std::span<const BodyState> bodies, std::size_t own,
                    std::vector<EdgeArrow>& arrows);

}  // namespace nearmiss::app::fly
