// SPDX-License-Identifier: MIT
/// Writes MJCF with spheres in place of the colliding geoms.
#pragma once

#include <nearmiss/math.h>

#include <set>
#include <span>
#include <string>
#include <vector>

#include "tools/robot/mjcf/compiler.h"
#include "tools/robot/mjcf/source.h"
#include "tools/robot/robot_file.h"

namespace nearmiss::app::robot {

/// Replaces colliding geoms by spheres.
class MjcfSpheres {
 public:
  /// Moves the ends (`fromto`) given by default classes to the geoms that use them.
  /// @pre readMjcf() made the robot, which outlives this object
  explicit MjcfSpheres(const RobotFile& robot);

  /// Replaces the colliding geoms of a body by spheres with the same class and contacts and no
  /// mass. A geom is kept without collisions if its body gets its mass from geoms, or if other
  /// elements refer to it. If no geom of the body collides, the spheres are added.
  void replace(const RobotLink& link, std::span<const Sphere> spheres);

 private:
  tinyxml2::XMLElement& firstSphere(tinyxml2::XMLElement& body,
                                    const std::vector<tinyxml2::XMLElement*>& replaced);
  [[nodiscard]] bool mustStay(const tinyxml2::XMLElement& body,
                              const tinyxml2::XMLElement& geom) const;

  MjcfSource source_;
  MjcfDefaults defaults_;
  MjcfCompiler compiler_;
  std::set<std::string> named_;  ///< geoms that other elements refer to
};

}  // namespace nearmiss::app::robot
