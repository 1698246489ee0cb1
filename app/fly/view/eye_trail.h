// SPDX-License-Identifier: MIT
/// Where the eye came from: what is at rest draws streaks between there and here.
#pragma once

#include <nearmiss/math.h>

#include <optional>

namespace nearmiss::app {

class EyeTrail {
 public:
  /// Where the eye was `exposure` seconds before, if it moved then as it did since the last call,
  /// which was `seconds` of wall time ago. Nothing where it leapt.
  std::optional<Pose> before(const Pose& eye, double seconds);
  static constexpr double exposure = 0.06;

 private:
  std::optional<Pose> last_;
};

}  // namespace nearmiss::app
