// SPDX-License-Identifier: MIT
/// The spheres of one link.
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>
#include <nearmiss/spheres.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tools/robot/robot_file.h"

namespace nearmiss::app::robot {

/// A link prepared for covering.
struct LinkBody {
  const RobotLink* link = nullptr;  ///< must outlive this object
  std::shared_ptr<const Polyhedron> polyhedron;
  Real lost = 0.0;                    ///< maximum displacement of points of the mesh by reading
  std::vector<std::string> warnings;  ///< of the meshes
};

/// Loads the shapes of a link. Errors: those of loadModel() and of makePolyhedron().
/// @pre the link has shapes
[[nodiscard]] Result<LinkBody> prepareLink(const RobotLink& link);

/// Returns true if the link consists of spheres, which are their own best cover.
[[nodiscard]] bool isOfSpheres(const RobotLink& link) noexcept;

struct LinkSpheres {
  std::vector<Sphere> spheres;  ///< in the frame of the link
  UnionVolume volume;           ///< in the unit of the file
  bool exact = false;           ///< the link's own spheres
};

/// How much work a link is worth. A robot may have thousands of links.
struct LinkEffort {
  bool searches = true;  ///< if false, a single primitive gets the best of primitiveCovers()
  int rows = 256;        ///< of measureUnion()
};

/// Returns spheres that cover all shapes of a link: its own spheres if it consists of at most the
/// allowed number; otherwise the result of fitFlatSet(), started from primitiveCovers() for a
/// single shape. The radii do not yet include the body's `lost`. Errors: those of fitFlatSet().
[[nodiscard]] Result<LinkSpheres> coverLink(const LinkBody& body, const FlatSetSettings& settings,
                                            const LinkEffort& effort, BuildProgress* progress);

/// Measures the volume of a link's spheres.
[[nodiscard]] UnionVolume volumeOf(const LinkBody& body, std::span<const Sphere> spheres,
                                   const LinkEffort& effort = {});

}  // namespace nearmiss::app::robot
