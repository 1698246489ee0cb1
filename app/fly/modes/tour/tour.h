// SPDX-License-Identifier: MIT
/// The tour. All stops show the same two ships; each has a sentence, figures, and a slider.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fly/command/command.h"
#include "fly/flight/flight.h"
#include "fly/gfx/camera.h"
#include "fly/overlay/shown_numbers.h"
#include "fly/overlay/views.h"

namespace nearmiss::app::fly {

/// What the slider of a stop changes.
enum class TourVariable : std::uint8_t {
  Distance,  ///< the moment of the encounter, and so the distance of the ships; paused
  Level,     ///< the level of the spheres; paused
  Budget     ///< the detection budget of a frame, while the encounter repeats
};

/// The figures that the panel shows next to the sentence.
enum class TourFigures : std::uint8_t { Spheres, Levels, Bound, Depths, Exact, Meeting };

struct TourStop {
  std::string_view title, sentence;
  TourFigures figures = TourFigures::Spheres;
  TourVariable variable = TourVariable::Level;
  double from = 0.0, to = 1.0;   ///< the slider moves from here to there by itself
  std::array<Action, 1> keys{};  ///< pressed at the start of the stop; the first `keyCount`
  std::size_t keyCount = 0;
  double distance = 6.0;  ///< of the eye, as for CameraRig::glide()
  double seconds = 20.0;  ///< until the next stop

  /// Two detectors side by side.
  [[nodiscard]] bool split() const noexcept { return figures == TourFigures::Exact; }
};

[[nodiscard]] std::span<const TourStop> tourStops() noexcept;

/// The level and the budget at a place of the slider, from 0 to 1.
[[nodiscard]] int tourLevelAt(double place) noexcept;
[[nodiscard]] Clock::Duration tourBudgetAt(double place) noexcept;

/// The state saved during the tour.
struct BeforeTour {
  Flight flight;
  Method wanted;  ///< the method in use, or the one that waited for its trees
  UiState ui;
  CameraRig rig;
  Camera camera;
  FrameStatistics statistics;
};

/// Whether the two ships have hit each other in this round of the encounter, and the level that
/// answered; by half of the split view.
struct TourHits {
  std::array<std::optional<int>, 2> depth;
};

/// The current stop, its elapsed time, its slider, and the state before the tour.
class Tour {
 public:
  explicit Tour(BeforeTour before) : before_(std::move(before)), last_(before_.camera) {}
  /// Ends the tour and returns the saved state.
  [[nodiscard]] BeforeTour leave() { return std::move(before_); }

  [[nodiscard]] const TourStop& stop() const noexcept { return tourStops()[at_]; }
  /// Starts the next stop, to which the eye moves from `from`. Returns false after the last stop.
  bool next(const Camera& from) noexcept;
  /// Advances wall time, and the slider unless the stop is held. A budget changes from round to
  /// round.
  void pass(double seconds) noexcept;
  /// Seconds at this stop.
  [[nodiscard]] double passed() const noexcept { return passed_; }
  /// Returns true if the stop's time is over.
  [[nodiscard]] bool over() const noexcept { return !held_ && passed_ >= stop().seconds; }
  /// Call on user input: the stop stays until the user leaves it.
  void hold() noexcept { held_ = true; }
  [[nodiscard]] bool held() const noexcept { return held_; }
  /// Position of the slider, 0 to 1.
  [[nodiscard]] double place() const noexcept { return place_; }
  /// Moves the slider by hand, which holds the stop.
  void slideTo(double place) noexcept;
  /// Moves the eye smoothly from the previous stop to `wanted`.
  [[nodiscard]] Camera eased(const Camera& wanted) const noexcept;

  /// Collects the collisions of a frame for the figures; the pair's own ones by half.
  void watch(const Flight& flight, const PickedShips& pair, std::size_t half) noexcept;
  /// Call when the encounter starts, also again.
  void beginRound() noexcept;
  /// Views, valid until the next call. The figures are of the picked pair; those of a frame are
  /// from `shown`.
  [[nodiscard]] TourView view(const Flight& flight, const UiState& ui, const ShownNumbers& shown);

 private:
  void compareSpheres(const Flight& flight, std::size_t a, std::size_t b);
  void listLevels(const Flight& flight, std::size_t a);
  void compareBound(const Flight& flight, std::size_t a, std::size_t b);
  void listDepths(const ShownNumbers& shown);
  void compareHits();
  void warnAboutCollision(const Flight& flight, std::size_t a, std::size_t b);

  BeforeTour before_;
  std::size_t at_ = 0;
  double passed_ = 0.0;  ///< seconds at this stop
  double place_ = tourStops().front().from;
  int rounds_ = 0;  ///< of the encounter, begun at this stop
  bool held_ = false;
  Camera last_;
  /// Recent collisions by depth, with fading weights.
  std::array<double, engine::depths> collisions_{};
  TourHits hits_;
  std::vector<TourFigure> figures_;
};

}  // namespace nearmiss::app::fly
