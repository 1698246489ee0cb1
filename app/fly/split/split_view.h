// SPDX-License-Identifier: MIT
/// The split view in the window: one flight by two detectors side by side. The user's flight is the
/// right half, and goes on when the view is left.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "fly/mode.h"
#include "fly/split/split_flight.h"
#include "fly/view/flight_view.h"

namespace nearmiss::app::fly {

class SplitView : public Mode {
 public:
  [[nodiscard]] bool on() const noexcept { return split_ != nullptr; }
  void toggle(FlightContext& context);
  void leave(FlightContext& context);
  /// The left half's next narrow phase.
  void nextLeftMethod(FlightContext& context);

  /// Begins as soon as there is what it flies by: see pursue().
  void await() noexcept { awaited_ = true; }
  /// Begins the view that is awaited, once its trees are there.
  void pursue(FlightContext& context);
  /// Other models fly: leaves, and waits for their trees. Nothing where it is off.
  void beginAgain(FlightContext& context);
  /// The flight has been restarted. Nothing where it is off.
  void restart(FlightContext& context);

  /// Trees that the left half alone waits for; null: none.
  [[nodiscard]] const ModelWorker* growing() const noexcept {
    return split_ ? split_->growing() : nullptr;
  }
  void cancelGrowing() noexcept { split_->cancelGrowing(); }
  /// What is measured of both halves; nothing where it is off.
  [[nodiscard]] std::optional<std::array<Measured, 2>> measured() const;
  /// As pickAt(), by the half that was clicked. @pre on()
  [[nodiscard]] PickedShips pick(const FlightContext& context, const PickedShips& picked,
                                 glm::vec2 click) const;

  /// A turn of both machines.
  bool advance(FlightContext& context) override;
  bool draw(FlightContext& context, Canvas& canvas) override;
  bool label(FlightContext& context, const Ink& ink, glm::vec2 window,
             std::span<const Ground> grounds) override;
  void describe(FlightContext& context, OverlayView& view) override;

 private:
  void begin(FlightContext& context);
  [[nodiscard]] HalfView halfView(const FlightContext& context, SplitFlight::Side side,
                                  const Flight& flight, double ahead) const;

  std::unique_ptr<SplitFlight> split_;
  HalfChoice leftHalf_;     ///< the choice that flew last, or will
  bool awaited_ = false;    ///< as soon as its trees are there
  bool eraBefore_ = false;  ///< 1995 mode, when the view began
  FlightView left_;
  double turnWork_ = 0.0;  ///< seconds that both halves took to simulate
  std::array<std::string, 2> methods_, budgets_;
  std::string bothMethods_;
};

}  // namespace nearmiss::app::fly
