// SPDX-License-Identifier: MIT
/// Spheres in the formats that other programs read.
#pragma once

#include <nearmiss/result.h>

#include <span>
#include <string>
#include <string_view>

#include "tree/sphere_listing.h"

namespace nearmiss::app {

struct SphereFormat {
  std::string_view name;
  std::string_view summary;
  /// `only`: the level wanted, or -1. Errors: TooLarge, Unsupported.
  Result<std::string> (*write)(const SphereListing& listing, int only);
};

[[nodiscard]] std::span<const SphereFormat> sphereFormats() noexcept;

}  // namespace nearmiss::app
