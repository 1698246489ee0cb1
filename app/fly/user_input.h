// SPDX-License-Identifier: MIT
/// What the user does with keyboard, mouse, controller and dropped files.
#pragma once

namespace nearmiss::app::fly {

struct FlightContext;

/// Reads all that has happened since the last call, and does what it means.
void heedUser(FlightContext& context);

}  // namespace nearmiss::app::fly
