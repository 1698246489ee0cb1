// SPDX-License-Identifier: MIT
/// Settings of the window that are remembered between flights.
#pragma once

#include "fly/settings/window_settings.h"
#include "settings_memory.h"

namespace nearmiss::app::fly {

struct FlightContext;

struct RememberedSettings {
  SettingsMemory memory;    ///< without a file nothing is remembered
  WindowSettings recalled;  ///< as the file had them
  float textScale = 0.0f;   ///< as chosen; 0: from the display's density
};

/// Restores the choices of the last flight, except where the command line overrides them.
void recall(FlightContext& context, SettingsMemory memory);
void useSettings(FlightContext& context, const WindowSettings& settings);
/// The size of text; an option of the command line holds for its flight.
void scaleText(FlightContext& context, float scale);
/// Ends modes that set the view for themselves, and writes the settings down if they have changed,
/// or says why that failed.
void remember(FlightContext& context);

}  // namespace nearmiss::app::fly
