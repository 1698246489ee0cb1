// SPDX-License-Identifier: MIT
/// The user's settings of the window, saved between flights.
#pragma once

#include <nearmiss/result.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fly/choices/ui_state.h"
#include "fly/gfx/camera.h"
#include "fly/host/key_map.h"
#include "fly/overlay/palette.h"

namespace nearmiss::app::fly {

/// None of them changes the computation: a flight depends on its scene only.
struct WindowSettings {
  OverlayMode overlay = OverlayMode::Full;
  DrawLevel spheres = DrawLevel::Contact;
  CameraMode camera = CameraMode::Chase;
  bool wireframe = false, boundingSpheres = false, cues = true;
  bool reduceFlashing = false, muted = false, assist = true;
  Volumes volumes;
  bool introduced = false;  ///< the first flight was offered
  float uiScale = 0.0f;     ///< 0: from the display's density
  Palette palette = Palette::Usual;
  KeyMap keys;
  friend bool operator==(const WindowSettings&, const WindowSettings&) = default;
};

/// Parses TOML. Missing settings have defaults; unknown ones, perhaps of a later version, are
/// ignored. Invalid keys are reported in `notes`; valid keys still apply. `origin` stands for the
/// file in messages. Errors: BadFormat, with the line.
Result<WindowSettings> parseWindowSettings(std::string_view text, const std::string& origin,
                                           std::vector<std::string>* notes = nullptr);
/// Writes text that reads back to equal settings.
[[nodiscard]] std::string writeWindowSettings(const WindowSettings& settings);

/// Settings read from the file.
struct LoadedSettings {
  WindowSettings settings;
  std::string note;                   ///< message for the user; may be empty
  std::vector<std::string> keyNotes;  ///< about keys that do not work as the file says
  bool unread = false;                ///< the file could not be read and must not be overwritten
};

/// Reads the file; defaults apply if there is none. A malformed file is renamed, which `note`
/// reports, and defaults apply. A file that cannot be read or renamed is left alone.
[[nodiscard]] LoadedSettings loadSettings(const std::filesystem::path& file);
/// Writes the file atomically and creates its folder. Errors: Unreadable.
Result<Success> saveSettings(const std::filesystem::path& file, const WindowSettings& settings);

/// Next to the user's settings: $XDG_CONFIG_HOME/nearmiss/window.toml. Empty if there is no home
/// folder.
[[nodiscard]] std::filesystem::path windowSettingsFile();

}  // namespace nearmiss::app::fly
