// SPDX-License-Identifier: MIT
/// The split view: one flight with two detectors side by side. The right half is the user's flight,
/// which continues when the view is closed.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "fly/modes/mode.h"
#include "fly/modes/split/split_flight.h"
#include "fly/view/flight_view.h"

namespace nearmiss::app::fly {

class SplitView : public Mode {
 public:
  [[nodiscard]] bool on() const noexcept { return split_ != nullptr; }
  void toggle(FlightContext& context);
  void leave(FlightContext& context);
  /// Selects the left half's next narrow phase.
  void nextLeftMethod(FlightContext& context);

  /// Starts the view as soon as its trees are built; see pursue().
  void await() noexcept { awaited_ = true; }
  /// Starts a view requested with await() once its trees are built.
  void pursue(FlightContext& context);
  /// Starts a view with that left half at once; the user's choice does not change. The trees must
  /// be ready.
  void show(FlightContext& context, const HalfChoice& left);
  /// The left half's flight; null if off.
  [[nodiscard]] const Flight* left() const noexcept { return split_ ? &split_->left() : nullptr; }
  /// Call after a change of models: closes the view and waits for trees. Does nothing if off.
  void beginAgain(FlightContext& context);
  /// Call after a restart of the flight. Does nothing if off.
  void restart(FlightContext& context);

  /// Trees being built for the left half only; null: none.
  [[nodiscard]] const ModelWorker* build() const noexcept {
    return split_ ? split_->build() : nullptr;
  }
  void cancelBuild() noexcept { split_->cancelBuild(); }
  /// Measurements of both halves; `nullopt` if off.
  [[nodiscard]] std::optional<std::array<Measured, 2>> measured() const;
  /// As FlightView::addShipAreas(), for both halves.
  /// @pre on()
  void addShipAreas(const FlightContext& context, glm::vec2 window, std::vector<Rect>& out) const;
  /// As pickAt(), for the half that was clicked.
  /// @pre on()
  [[nodiscard]] PickedShips pick(const FlightContext& context, const PickedShips& picked,
                                 glm::vec2 click) const;

  /// Simulates one turn of both machines.
  bool advance(FlightContext& context) override;
  bool draw(FlightContext& context, Canvas& canvas) override;
  bool label(FlightContext& context, const Ink& ink, glm::vec2 window,
             std::span<const Ground> grounds) override;
  void describe(FlightContext& context, OverlayView& view) override;

 private:
  void begin(FlightContext& context, const HalfChoice& left);
  [[nodiscard]] HalfView halfView(const FlightContext& context, SplitFlight::Side side,
                                  const Flight& flight, double ahead) const;

  std::unique_ptr<SplitFlight> split_;
  HalfChoice leftHalf_;     ///< the last or next choice
  bool awaited_ = false;    ///< starts as soon as its trees are built
  bool eraBefore_ = false;  ///< 1995 mode at the start of the view
  FlightView left_;
  double turnWork_ = 0.0;  ///< seconds for simulating both halves
  std::array<std::string, 2> methods_, budgets_;
  std::string bothMethods_;
};

}  // namespace nearmiss::app::fly
