// SPDX-License-Identifier: MIT
/// User input by keyboard, mouse, controller and dropped files.
#pragma once

namespace nearmiss::app::fly {

struct FlightContext;

/// Reads all input since the last call and executes it.
void heedUser(FlightContext& context);

}  // namespace nearmiss::app::fly
