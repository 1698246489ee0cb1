// SPDX-License-Identifier: MIT
/// The spheres of one link.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/flat_set.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "robot/robot_file.h"

namespace nearmiss::app::robot {

/// A link made ready to be covered.
struct LinkBody {
  const RobotLink* link = nullptr;  ///< must outlive this
  std::shared_ptr<const Polyhedron> polyhedron;
  Real lost = 0.0;                    ///< how far reading may have moved points of the mesh
  std::vector<std::string> warnings;  ///< of the meshes
};

/// Errors: those of loadModel() and of makePolyhedron().
/// @pre the link has shapes
[[nodiscard]] Result<LinkBody> prepareLink(const RobotLink& link);

/// True if the link consists of spheres, which are their own best cover.
[[nodiscard]] bool isOfSpheres(const RobotLink& link) noexcept;

struct LinkSpheres {
  std::vector<Sphere> spheres;  ///< in the frame of the link
  UnionVolume volume;           ///< in the unit of the file
  bool exact = false;           ///< the link's own spheres
};

/// Spheres that cover all shapes of a link: those of a link of spheres, if they are no more than
/// allowed; else what fitFlatSet() finds, from what primitiveCovers() has for a single shape. The
/// `lost` of the body is not yet added to the radii. Errors: those of fitFlatSet().
[[nodiscard]] Result<LinkSpheres> coverLink(const LinkBody& body, const FlatSetSettings& settings,
                                            BuildProgress* progress);

/// Measures the spheres of a link once more.
[[nodiscard]] UnionVolume volumeOf(const LinkBody& body, std::span<const Sphere> spheres);

}  // namespace nearmiss::app::robot
