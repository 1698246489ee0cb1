// SPDX-License-Identifier: MIT
/// Spheres in the formats that other programs read.
#pragma once

#include <nearmiss/result.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "tree/sphere_listing.h"

namespace nearmiss::app {

struct WrittenSpheres {
  std::string text;
  std::size_t count = 0;  ///< spheres in it
};

struct SphereFormat {
  std::string_view name;
  std::string_view summary;
  /// `only`: the level wanted, with the leaves above it, or -1. Errors: TooLarge.
  Result<WrittenSpheres> (*write)(const SphereListing& listing, int only);
};

[[nodiscard]] std::span<const SphereFormat> sphereFormats() noexcept;
/// @pre the name is one of sphereFormats()
[[nodiscard]] const SphereFormat& sphereFormat(std::string_view name) noexcept;

/// A name as a YAML key and an XML name have it: what they do not hold becomes '_'.
[[nodiscard]] std::string plainName(const std::string& name);
/// A sphere of a list in cuRobo's YAML.
[[nodiscard]] std::string curoboEntry(const Sphere& sphere);

}  // namespace nearmiss::app
