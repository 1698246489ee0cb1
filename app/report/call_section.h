// SPDX-License-Identifier: MIT
/// Pair calls: how much faster each level is than the reference, and how tight its bounds are
/// [H96 Figs. 15, 16].
#pragma once

#include <string>

#include "report/call_data.h"

namespace nearmiss::app {

[[nodiscard]] std::string callsHtml(const CallData& data);

}  // namespace nearmiss::app
