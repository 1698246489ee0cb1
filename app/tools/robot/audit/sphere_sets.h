// SPDX-License-Identifier: MIT
/// Reads spheres of a robot's links in the formats of various programs.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <filesystem>
#include <string>
#include <vector>

namespace nearmiss::app::robot {

/// The spheres of one link, in its frame.
struct SphereSet {
  std::string link;  ///< empty if the file does not name it
  std::vector<Sphere> spheres;
};

struct SphereSets {
  std::vector<SphereSet> links;              ///< in the order of the file, without duplicates
  std::vector<std::string> remarks;          ///< sentences on ignored data
  std::vector<std::filesystem::path> named;  ///< see namedFiles(), for a robot's file
};

/// Reads
/// - a URDF or MJCF file: the spheres of its collision shapes;
/// - an SRDF file: `link_sphere_approximation`;
/// - an XRDF file: the geometry named by its `collision`, and `buffer_distance`;
/// - cuRobo's YAML or JSON: `collision_spheres` at any depth, by link; spheres with a radius of 0
///   or less are disabled, and `collision_sphere_buffer` is added to the others;
/// - JSON of `nearmiss robot`, of `nearmiss spheres`, of foam, or a map of links to lists of
///   spheres, each {center or origin, radius} or [x, y, z, radius];
/// - CSV with columns link (or name), x, y, z (or cx, cy, cz) and radius (or r).
/// Errors: NotFound, Unreadable, TooLarge, BadFormat, Unsupported, with a sentence that names the
/// file.
/// @param packageFolders those of RobotReading
[[nodiscard]] Result<SphereSets> readSphereSets(
    const std::filesystem::path& file,
    const std::vector<std::filesystem::path>& packageFolders = {});

}  // namespace nearmiss::app::robot
