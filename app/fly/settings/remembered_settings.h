// SPDX-License-Identifier: MIT
/// Settings of the window that are saved between flights.
#pragma once

#include "fly/settings/window_settings.h"
#include "options/options.h"

namespace nearmiss::app::fly {

struct FlightContext;

struct RememberedSettings {
  SettingsMemory memory;    ///< without a file nothing is saved
  WindowSettings recalled;  ///< as read from the file
  float textScale = 0.0f;   ///< as set by the user; 0: from the display's density
  bool firstStart = false;  ///< the first flight that somebody flies
};

/// Restores the saved settings, except those overridden on the command line.
void restoreSettings(FlightContext& context, SettingsMemory memory);
void useSettings(FlightContext& context, const WindowSettings& settings);
/// Sets the text size; an option of the command line applies to its flight only.
void scaleText(FlightContext& context, float scale);
/// Ends modes that change the view, and saves the settings if they changed. Reports failures.
void remember(FlightContext& context);

}  // namespace nearmiss::app::fly
