// SPDX-License-Identifier: MIT
/// The stops of the tour, a row each: what is said, what is seen, which keys go down for it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "fly/host/key_bindings.h"

namespace nearmiss::app {

/// What there must be to look at.
enum class TourStage : std::uint8_t {
  NearPair,  ///< two ships that touch as far as level 2 knows, and do not; the world stands still
  Approach,  ///< two ships before their bounds meet; the world stands still
  Crowd      ///< many ships in flight
};

/// What the panel counts beside the sentence.
enum class TourFigures : std::uint8_t { Spheres, Levels, Bound, Depths, Times, Meeting };

/// A key that goes down by itself, again and again.
struct TourBeat {
  Action key = Action::Confirm;
  double first = 0.0, every = 1.0;  ///< seconds
  int times = 0;
};

struct TourStop {
  std::string_view title, sentence;
  TourStage stage = TourStage::NearPair;
  TourFigures figures = TourFigures::Spheres;
  std::array<Action, 2> keys{};  ///< that go down as the stop begins, the first `keyCount`
  std::size_t keyCount = 0;
  TourBeat beat{};
  double distance = 6.0;  ///< of the eye, as of CameraRig::glide()
  double seconds = 20.0;  ///< until the next stop
};

[[nodiscard]] std::span<const TourStop> tourStops() noexcept;

}  // namespace nearmiss::app
