// SPDX-License-Identifier: MIT
/// The head of every record: what ran, on what, with which settings.
#pragma once

#include <engine/records.h>
#include <engine/shape_set.h>

#include <string>

#include "options.h"

namespace nearmiss::app {

/// `renderer` is the driver's name of itself, "none" without a window.
[[nodiscard]] engine::RecordHead recordHead(const Options& options, const engine::ShapeSet& shapes,
                                            const std::string& renderer);

}  // namespace nearmiss::app
