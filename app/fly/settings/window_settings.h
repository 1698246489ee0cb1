// SPDX-License-Identifier: MIT
/// The user's choices for the window, kept from one flight to the next.
#pragma once

#include <nearmiss/result.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fly/gfx/camera.h"
#include "fly/host/key_map.h"
#include "fly/overlay/palette.h"
#include "fly/ui_state.h"

namespace nearmiss::app::fly {

/// Nothing of it changes what is computed: a flight is its scene's, whoever looks on.
struct WindowSettings {
  OverlayMode overlay = OverlayMode::Full;
  DrawLevel spheres = DrawLevel::Contact;
  CameraMode camera = CameraMode::Chase;
  bool wireframe = false, boundingSpheres = false, cues = true;
  bool reduceFlashing = false, muted = false;
  bool introduced = false;  ///< how to read the screen has been shown
  float uiScale = 0.0f;     ///< 0: from the display's density
  Palette palette = Palette::Usual;
  KeyMap keys;
  friend bool operator==(const WindowSettings&, const WindowSettings&) = default;
};

/// TOML; what is not named has its usual value, and what is not known is passed over, since it may
/// be of a later version. Of keys, what is wrong is told in `notes`, and the rest holds. `origin`
/// stands for the file in messages. Errors: BadFormat, with line.
Result<WindowSettings> parseWindowSettings(std::string_view text, const std::string& origin,
                                           std::vector<std::string>* notes = nullptr);
/// The text of a file that reads back to the same.
[[nodiscard]] std::string writeWindowSettings(const WindowSettings& settings);

/// Remembered settings.
struct RecalledSettings {
  WindowSettings settings;
  std::string note;                   ///< a note for the user; may be empty
  std::vector<std::string> keyNotes;  ///< of keys that do not do what the file says
  bool unread = false;  ///< nobody knows what the file says, and it is not to be replaced
};

/// A file that cannot be understood is set aside beside its place, under a name that is said; the
/// defaults apply then, as they do where there is no file. One that cannot be read or set aside
/// stays as it is.
[[nodiscard]] RecalledSettings recallSettings(const std::filesystem::path& file);
/// Writes the file as a whole, and its folder where there is none. Errors: Unreadable.
Result<Success> keepSettings(const std::filesystem::path& file, const WindowSettings& settings);

/// Beside the user's own settings: $XDG_CONFIG_HOME/nearmiss/window.toml. Empty without a home.
[[nodiscard]] std::filesystem::path windowSettingsFile();

}  // namespace nearmiss::app::fly
