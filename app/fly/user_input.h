// SPDX-License-Identifier: MIT
/// User input by keyboard, mouse, controller and dropped files.
#pragma once

namespace nearmiss::app::fly {

struct FlightContext;

/// Reads all that has happened since the last call, and does what it means.
void heedUser(FlightContext& context);

}  // namespace nearmiss::app::fly
