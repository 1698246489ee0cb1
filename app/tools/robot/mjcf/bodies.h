// SPDX-License-Identifier: MIT
/// The bodies and geoms of an MJCF file: colliding geoms and their shapes.
#pragma once

#include <nearmiss/result.h>

#include <filesystem>

#include "tools/robot/mjcf/compiler.h"
#include "tools/robot/mjcf/meshes.h"
#include "tools/robot/mjcf/source.h"
#include "tools/robot/robot_file.h"

namespace nearmiss::app::robot {

/// Returns contype or conaffinity, an integer; 1 if it is missing or invalid.
[[nodiscard]] long geomMask(const MjcfDefaults& defaults, const tinyxml2::XMLElement& geom,
                            const char* attribute);

/// Returns true if contype or conaffinity is not 0, for any group.
[[nodiscard]] bool geomCollides(const MjcfDefaults& defaults, const tinyxml2::XMLElement& geom);

/// Reports a fault if a geom names an unknown class or has invalid contact numbers.
void checkGeom(MjcfSource& source, const MjcfDefaults& defaults, const tinyxml2::XMLElement& geom);

/// Returns the shape of a geom in the frame of its body. Reports a fault for shapes that are
/// unbounded or unsupported.
/// @param around pose of the geom's enclosing frame in the body
[[nodiscard]] LinkShape shapeOfGeom(MjcfSource& source, const MjcfDefaults& defaults,
                                    const MjcfCompiler& compiler, MjcfMeshes& meshes,
                                    const tinyxml2::XMLElement& geom, const MjcfPose& around);

// The bodies of an MJCF file with their colliding geoms.

/// Fills in the name, if there is one, and the links: bodies in MuJoCo's order; one without a name
/// is called `body` plus its index. Expands included files in the document. Geoms of the world
/// belong to no link, as a remark says.
/// @pre the document's root is <mujoco>
Result<RobotFile> readMjcf(RobotFile robot, const std::filesystem::path& file,
                           const RobotReading& reading);

}  // namespace nearmiss::app::robot
