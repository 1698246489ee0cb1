// SPDX-License-Identifier: MIT
/// The tour. Each stop has a sentence, a scene, and keys that are pressed automatically.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fly/command/command.h"
#include "fly/flight/flight.h"
#include "fly/gfx/camera.h"
#include "fly/overlay/shown_numbers.h"
#include "fly/overlay/views.h"

namespace nearmiss::app::fly {

/// The situation that a stop needs.
enum class TourStage : std::uint8_t {
  NearPair,  ///< two ships that touch according to level 2 but not in fact; paused
  Approach,  ///< two ships shortly before their bounds meet; paused
  Crowd      ///< many moving ships
};

/// The figures that the panel shows next to the sentence.
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
  std::array<Action, 2> keys{};  ///< pressed at the start of the stop; the first `keyCount`
  std::size_t keyCount = 0;
  TourBeat beat{};
  double distance = 6.0;  ///< of the eye, as for CameraRig::glide()
  double seconds = 20.0;  ///< until the next stop
};

[[nodiscard]] std::span<const TourStop> tourStops() noexcept;

/// The state saved during the tour.
struct BeforeTour {
  Flight flight;
  Method wanted;  ///< the method in use, or the one that waited for its trees
  UiState ui;
  CameraRig rig;
  Camera camera;
  FrameStatistics statistics;
};

/// The current stop, its elapsed time, and the state before the tour.
class Tour {
 public:
  explicit Tour(BeforeTour before) : before_(std::move(before)), last_(before_.camera) {}
  /// Ends the tour and returns the saved state.
  [[nodiscard]] BeforeTour leave() { return std::move(before_); }

  [[nodiscard]] const TourStop& stop() const noexcept { return tourStops()[at_]; }
  /// Starts the next stop, to which the eye moves from `from`. Returns false after the last stop.
  bool next(const Camera& from) noexcept;
  /// Advances wall time. Returns the key to press now, if any.
  std::optional<Action> pass(double seconds) noexcept;
  /// Seconds at this stop.
  [[nodiscard]] double passed() const noexcept { return passed_; }
  /// Returns true if the stop's time is over.
  [[nodiscard]] bool over() const noexcept { return !held_ && passed_ >= stop().seconds; }
  /// Call on user input: the stop stays until the user leaves it.
  void hold() noexcept { held_ = true; }
  [[nodiscard]] bool held() const noexcept { return held_; }
  /// Moves the eye smoothly from the previous stop to `wanted`.
  [[nodiscard]] Camera eased(const Camera& wanted) const noexcept;

  /// Collects a frame for the figures.
  void watch(const Flight& flight, const engine::FrameProfile& profile) noexcept;
  /// Views, valid until the next call. `gap`: exact gap of the picked pair, if known.
  [[nodiscard]] TourView view(const Flight& flight, const UiState& ui, std::optional<Real> gap,
                              const ShownNumbers& shown);

 private:
  void countSpheres(const Flight& flight);
  void listLevels(const Flight& flight, const UiState& ui);
  void compareBound(const Flight& flight, const UiState& ui, std::optional<Real> gap);
  void listDepths(const ShownNumbers& shown);
  void compareTimes();
  void warnAboutCollision(const Flight& flight, const UiState& ui);

  BeforeTour before_;
  std::size_t at_ = 0;
  double passed_ = 0.0;  ///< seconds at this stop
  int beats_ = 0;
  bool held_ = false;
  Camera last_;
  /// Recent collisions by depth, with fading weights.
  std::array<double, engine::depths> collisions_{};
  double maxAllowed_ = 0.0;            ///< maximum detection budget of a frame, milliseconds
  std::array<double, 2> detection_{};  ///< milliseconds per frame: sphere trees, BSP trees
  std::vector<TourFigure> figures_;
};

}  // namespace nearmiss::app::fly
