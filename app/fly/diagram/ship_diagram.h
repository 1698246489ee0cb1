// SPDX-License-Identifier: MIT
/// The plane through two ships: which of them is nearer where, how far, and how far apart they are.
#pragma once

#include <nearmiss/result.h>

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "fly/diagram/cross_section.h"
#include "fly/diagram/diagram_gap.h"
#include "fly/gfx/draw_frame.h"

namespace nearmiss::app {

class DistanceDiagram;
class Flight;
struct Camera;
struct UiState;

/// Kept from frame to frame, and drawn anew as often as its own time allows.
class ShipDiagram {
 public:
  ShipDiagram();
  ~ShipDiagram();

  /// Brings the diagram up to date where it is asked for. The picked ships; with one or none the
  /// user's own and its nearest. Errors: those of DistanceDiagram::create(), once.
  std::optional<Error> update(const Flight& flight, const UiState& ui, const Camera& camera);

  /// To be drawn; valid until the next update(). Nothing where it is switched off.
  [[nodiscard]] const std::optional<DrawPlane>& plane() const noexcept { return plane_; }
  /// The nearest points of the two sections, world frame.
  struct Gap {
    Vec3 a{0.0}, b{0.0};
    double lower = 0.0, upper = 0.0;  ///< metres, within the plane
  };
  [[nodiscard]] const std::optional<Gap>& gap() const noexcept { return gap_; }

 private:
  using Time = std::chrono::steady_clock::time_point;
  [[nodiscard]] std::optional<Error> prepare();
  void draw(const Flight& flight, std::size_t first, std::size_t second, const Camera& camera);
  void paint(const DiagramPicture& picture, std::uint32_t firstOfSecond);

  std::unique_ptr<DistanceDiagram> diagram_;
  bool failed_ = false;
  std::vector<PlaneSite> sites_;
  std::vector<std::uint8_t> colours_;
  std::optional<DrawPlane> plane_;
  std::optional<Gap> gap_;
  Time next_{};
};

}  // namespace nearmiss::app
