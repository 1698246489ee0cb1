// SPDX-License-Identifier: MIT
/// The effect of the key for "as published": the papers' trees and technique, and back.
#pragma once

#include <engine/scene/scene.h>

#include <optional>

namespace nearmiss::app {

class PublishedSwitch {
 public:
  /// `now` with the papers' trees and technique; or, if it is as published already, with those that
  /// it had before the last flip() that led there, or the usual ones if none did. What takeTrees()
  /// and takeTechnique() leave alone stays.
  [[nodiscard]] engine::Scene flip(const engine::Scene& now);

 private:
  std::optional<engine::Scene> before_;
};

}  // namespace nearmiss::app
