// SPDX-License-Identifier: MIT
/// What one frame's events of keyboard, mouse and controller amount to.
#pragma once

#include <filesystem>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fly/host/key_map.h"
#include "fly/ui_state.h"

namespace nearmiss::app {

struct InputEvents {
  std::vector<Action> pressed;      ///< in the order of the keys
  std::vector<PanelKey> panelKeys;  ///< while the panel of controls has them
  std::optional<KeyPress> given;    ///< while the user is asked for a key
  bool quit = false;                ///< the window was closed
  std::optional<glm::vec2> click;   ///< pixels
  glm::vec2 drag{0.0f};             ///< pixels, middle button
  float wheel = 0.0f;               ///< notches
  std::filesystem::path dropped;    ///< last file dropped; empty: none
  int capSteps = 0;                 ///< of the level cap, finer; by a controller
  std::string padCame, padWent;     ///< a controller's name; empty: none did
};

}  // namespace nearmiss::app
