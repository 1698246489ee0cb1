// SPDX-License-Identifier: MIT
/// Draws space-time bounds of ships as lines: the current position, and the reachable region until
/// the bound expires [H93, "Space-time bounds", "Cutting planes"].
#pragma once

#include <nearmiss/advanced/space_time_bound.h>

#include <vector>

#include "fly/choices/ui_state.h"
#include "fly/flight/flight.h"
#include "fly/gfx/draw_frame.h"
#include "fly/overlay/layout.h"
#include "fly/overlay/palette.h"

namespace nearmiss::app::fly {

class Ink;

class BoundDrawing {
 public:
  /// A label next to a line.
  struct Word {
    enum class Kind : std::uint8_t { Now, Expiry, Cut, Meeting } kind = Kind::Now;
    Vec3 place{0.0};     ///< world
    double seconds = 0;  ///< from now, simulation seconds
  };

  /// Removes everything that was added.
  void clear() noexcept;
  /// Adds the bound of `body` from `now` until it expires: both cubes, dashed edges between them,
  /// and hatching where cutting planes cut the last cube.
  void add(const BodyState& body, Real now);
  /// Adds both cubes at the time when the bounds of two bodies first meet; nothing if they do not
  /// meet while valid.
  void addMeeting(const BodyState& a, const BodyState& b, Real now);

  [[nodiscard]] const std::vector<DrawLine>& lines() const noexcept { return lines_; }
  [[nodiscard]] const std::vector<Word>& words() const noexcept { return words_; }
  /// Draws the labels next to their lines, avoiding the areas in `taken`; adds theirs.
  void label(const Ink& ink, const Camera& camera, glm::vec2 window,
             std::vector<Rect>& taken) const;

 private:
  void addCube(const Box& box, Rgb colour);
  void addDashed(const Vec3& from, const Vec3& to, Rgb colour);
  void addCut(const SpaceTimeBound& bound, const CuttingPlane& plane);

  std::vector<DrawLine> lines_;
  std::vector<Word> words_;
  std::vector<Vec3> polygon_, clipped_;
};

/// Simulation seconds until the bounds of two bodies first meet; `nullopt` if they do not meet
/// while valid.
[[nodiscard]] std::optional<Real> secondsToMeeting(const BodyState& a, const BodyState& b,
                                                   Real now) noexcept;
/// Simulation seconds from now for which both bounds are valid, 0 if one has expired: the horizon
/// of secondsToMeeting().
[[nodiscard]] Real jointHorizon(const BodyState& a, const BodyState& b, Real now) noexcept;

}  // namespace nearmiss::app::fly
