// SPDX-License-Identifier: MIT
/// The tour: its stops, a row each with what is said, what is seen and which keys go down for it;
/// and a tour under way.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fly/command/command.h"
#include "fly/flight.h"
#include "fly/gfx/camera.h"
#include "fly/overlay/shown_numbers.h"
#include "fly/overlay/views.h"

namespace nearmiss::app::fly {

/// The objects that a stop needs.
enum class TourStage : std::uint8_t {
  NearPair,  ///< two ships that touch as far as level 2 knows, and do not; the world stands still
  Approach,  ///< two ships before their bounds meet; the world stands still
  Crowd      ///< many ships in flight
};

/// The figures that the panel shows beside the sentence.
enum class TourFigures : std::uint8_t { Spheres, Levels, Bound, Depths, Times, Meeting };

/// A key that is pressed automatically and repeatedly.
struct TourBeat {
  Action key = Action::Confirm;
  double first = 0.0, every = 1.0;  ///< seconds
  int times = 0;
};

struct TourStop {
  std::string_view title, sentence;
  TourStage stage = TourStage::NearPair;
  TourFigures figures = TourFigures::Spheres;
  std::array<Action, 2> keys{};  ///< keys pressed as the stop begins, the first `keyCount`
  std::size_t keyCount = 0;
  TourBeat beat{};
  double distance = 6.0;  ///< of the eye, as of CameraRig::glide()
  double seconds = 20.0;  ///< until the next stop
};

[[nodiscard]] std::span<const TourStop> tourStops() noexcept;

/// The state that the tour sets aside.
struct BeforeTour {
  Flight flight;
  Method wanted;  ///< the method that detected, or waited for its trees
  UiState ui;
  CameraRig rig;
  Camera camera;
  FrameStatistics statistics;
};

/// At which stop it is and for how long, and what was before it.
class Tour {
 public:
  explicit Tour(BeforeTour before) : before_(std::move(before)), last_(before_.camera) {}
  /// Ends the tour; returns the earlier state, to be restored.
  [[nodiscard]] BeforeTour leave() { return std::move(before_); }

  [[nodiscard]] const TourStop& stop() const noexcept { return tourStops()[at_]; }
  /// False after the last; else the next stop begins, and the eye flies there from `from`.
  bool next(const Camera& from) noexcept;
  /// So much wall time passes. Returns the key that goes down now, if one does.
  std::optional<Action> pass(double seconds) noexcept;
  /// Seconds at this stop.
  [[nodiscard]] double passed() const noexcept { return passed_; }
  /// True if the stop's time is over.
  [[nodiscard]] bool over() const noexcept { return !held_ && passed_ >= stop().seconds; }
  /// The user does something: the stop stays until it is left.
  void hold() noexcept { held_ = true; }
  [[nodiscard]] bool held() const noexcept { return held_; }
  /// On its way from where the eye was as the stop began to where it should be.
  [[nodiscard]] Camera eased(const Camera& wanted) const noexcept;

  /// Takes up a frame for the figures.
  void watch(const Flight& flight, const engine::FrameProfile& profile) noexcept;
  /// Views, valid until the next call. `gap`: of the picked pair, exactly, if it is known.
  [[nodiscard]] TourView view(const Flight& flight, const UiState& ui, std::optional<Real> gap,
                              const ShownNumbers& shown);

 private:
  void countSpheres(const Flight& flight);
  void listLevels(const Flight& flight, const UiState& ui);
  void compareBound(const Flight& flight, const UiState& ui, std::optional<Real> gap);
  void listDepths(const ShownNumbers& shown);
  void compareTimes();
  void tellMeeting(const Flight& flight, const UiState& ui);

  BeforeTour before_;
  std::size_t at_ = 0;
  double passed_ = 0.0;  ///< seconds at this stop
  int beats_ = 0;
  bool held_ = false;
  Camera last_;
  /// Recent collisions by depth, each fading.
  std::array<double, engine::depths> collisions_{};
  double maxAllowed_ = 0.0;            ///< milliseconds for detection in a frame
  std::array<double, 2> detection_{};  ///< milliseconds a frame: sphere trees, BSP trees
  std::vector<TourFigure> figures_;
};

}  // namespace nearmiss::app::fly
