// SPDX-License-Identifier: MIT
/// The bodies and geoms of an MJCF file: what collides, and as what shape.
#pragma once

#include <nearmiss/result.h>

#include <filesystem>

#include "robot/mjcf/compiler.h"
#include "robot/mjcf/meshes.h"
#include "robot/mjcf/source.h"
#include "robot/robot_file.h"

namespace nearmiss::app::robot {

/// contype or conaffinity, a number without fraction; 1 where nothing is said, or nothing sound.
[[nodiscard]] long geomMask(const MjcfDefaults& defaults, const tinyxml2::XMLElement& geom,
                            const char* attribute);

/// True if contype or conaffinity is not 0. Whatever its group.
[[nodiscard]] bool geomCollides(const MjcfDefaults& defaults, const tinyxml2::XMLElement& geom);

/// Faults the source where a geom names a class that is not there, or contacts that are no numbers.
void checkGeom(MjcfSource& source, const MjcfDefaults& defaults, const tinyxml2::XMLElement& geom);

/// The shape of a geom in the frame of its body. What is no bounded shape, or none of its own, is a
/// fault of the source.
/// @param around the pose, in that body, of the frame that the geom stands in
[[nodiscard]] LinkShape shapeOfGeom(MjcfSource& source, const MjcfDefaults& defaults,
                                    const MjcfCompiler& compiler, MjcfMeshes& meshes,
                                    const tinyxml2::XMLElement& geom, const MjcfPose& around);

// The bodies of an MJCF file, with the geoms that collide.

/// Fills in the name if there is one, and links: the bodies in MuJoCo's order, a nameless one as
/// `body` and its number there. Included files are put into the document. Geoms of the world belong
/// to no link; a remark says so. @pre the document's root is <mujoco>
Result<RobotFile> readMjcf(RobotFile robot, const std::filesystem::path& file,
                           const RobotReading& reading);

}  // namespace nearmiss::app::robot
