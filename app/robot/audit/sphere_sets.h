// SPDX-License-Identifier: MIT
/// Spheres of a robot's links as any program may have written them.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <filesystem>
#include <string>
#include <vector>

namespace nearmiss::app::robot {

/// Of one link, in its frame.
struct SphereSet {
  std::string link;  ///< empty where the file names none
  std::vector<Sphere> spheres;
};

struct SphereSets {
  std::vector<SphereSet> links;              ///< in the order of the file, each once
  std::vector<std::string> remarks;          ///< sentences on what was passed over
  std::vector<std::filesystem::path> named;  ///< see namedFiles(); those of a robot's file
};

/// Reads
/// - a URDF or MJCF file: the spheres of its collision shapes;
/// - an SRDF file: `link_sphere_approximation`;
/// - an XRDF file: the geometry that its collision names, and `buffer_distance`;
/// - cuRobo's YAML or JSON: `collision_spheres`, wherever it stands, by link; spheres of a radius
///   of 0 or less are switched off, and `collision_sphere_buffer` is added to the others;
/// - JSON of `nearmiss robot`, of `nearmiss spheres`, of foam, or a map of links to lists of
///   spheres, each {center or origin, radius} or [x, y, z, radius];
/// - CSV with columns link (or name), x, y, z (or cx, cy, cz) and radius (or r).
/// Errors: NotFound, Unreadable, TooLarge, BadFormat, Unsupported, in a sentence that names the
/// file.
/// @param packageFolders those of RobotReading
[[nodiscard]] Result<SphereSets> readSphereSets(
    const std::filesystem::path& file,
    const std::vector<std::filesystem::path>& packageFolders = {});

}  // namespace nearmiss::app::robot
