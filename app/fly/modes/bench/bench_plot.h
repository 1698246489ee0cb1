// SPDX-License-Identifier: MIT
/// The cost of a comparison over the gap of the bodies, as measured while the user moves them.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "fly/modes/bench/bench.h"
#include "fly/overlay/layout.h"
#include "fly/overlay/palette.h"

namespace nearmiss::app::fly {

class Ink;

/// A measured comparison.
struct CostSample {
  Real gap = 0.0;                  ///< metres; below 0: penetration depth
  std::array<double, 4> micros{};  ///< by method, as BenchReading::costs; 0: not measured
};

/// Colours and names of the methods, in the order of BenchReading::costs.
struct BenchMethod {
  std::string_view name;
  Rgb colour;
  std::string_view words;  ///< one sentence
};
inline constexpr std::array<BenchMethod, 4> benchMethods{
    BenchMethod{"within limits", palette::white, "The comparison within the limits."},
    BenchMethod{"spheres", palette::swap, "Sphere trees to the end, triangles included."},
    BenchMethod{"BSP trees", palette::narrow, "BSP trees [H96]."},
    BenchMethod{"boxes", palette::motion, "Oriented boxes, fitted and split as by Gottschalk."}};

/// Keeps the last samples.
class CostPlot {
 public:
  static constexpr std::size_t capacity = 800;

  void add(const BenchReading& reading);
  void clear() noexcept;
  /// Drops the times within the limits. Call when the limits change.
  void forgetLimited() noexcept;
  /// The samples; once there are `capacity`, the oldest are replaced.
  [[nodiscard]] const std::vector<CostSample>& samples() const noexcept { return samples_; }

  /// Draws the samples on a linear axis of gaps and a log axis of microseconds.
  void draw(const Ink& ink, const Rect& rect) const;

 private:
  std::vector<CostSample> samples_;
  std::size_t next_ = 0;  ///< replaced next
};

/// Returns the signed distance of a reading: the gap, or the penetration depth below 0, metres.
[[nodiscard]] Real signedDistance(const BenchReading& reading) noexcept;

}  // namespace nearmiss::app::fly
