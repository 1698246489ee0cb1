// SPDX-License-Identifier: MIT
/// Which coordinates a model file may have.
#pragma once

#include <nearmiss/math.h>

#include <string_view>

namespace nearmiss::engine {

/// Half a sentence on what is wrong with a vertex of a file, empty if nothing is.
[[nodiscard]] std::string_view coordinateFault(const Vec3& vertex) noexcept;

}  // namespace nearmiss::engine
