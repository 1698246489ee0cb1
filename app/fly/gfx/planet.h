// SPDX-License-Identifier: MIT
/// Paints the planet of the backdrop. It neither turns nor comes nearer, so one picture is enough,
/// and a picture costs a slow driver far less than a shader that works out the same.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

namespace nearmiss::app {

/// Square picture of `size` pixels a side, RGBA as shown, alpha already multiplied in, bottom row
/// first. `right`, `up` and `towards` are the picture's axes in the world; `sun` the direction of
/// the light.
[[nodiscard]] std::vector<std::uint8_t> paintPlanet(int size, const glm::vec3& right,
                                                    const glm::vec3& up, const glm::vec3& towards,
                                                    const glm::vec3& sun);

}  // namespace nearmiss::app
