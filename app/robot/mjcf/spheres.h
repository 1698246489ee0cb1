// SPDX-License-Identifier: MIT
/// MJCF with spheres in the places of the geoms that collide.
#pragma once

#include <nearmiss/math.h>

#include <set>
#include <span>
#include <string>
#include <vector>

#include "robot/mjcf/compiler.h"
#include "robot/mjcf/source.h"
#include "robot/robot_file.h"

namespace nearmiss::app::robot {

/// Puts spheres in the places of the geoms that collide.
class MjcfSpheres {
 public:
  /// Moves the ends (`fromto`) that default classes give to the geoms that have them.
  /// @pre readMjcf() made the robot, which outlives this
  explicit MjcfSpheres(const RobotFile& robot);

  /// The spheres have the class and the contacts of the geoms that they replace, and weigh nothing.
  /// A geom stays, and collides no more, where its body has its weight from its geoms, or where
  /// something else of the file names it. Where no geom of the body collides, the spheres are
  /// added.
  void replace(const RobotLink& link, std::span<const Sphere> spheres);

 private:
  tinyxml2::XMLElement& firstSphere(tinyxml2::XMLElement& body,
                                    const std::vector<tinyxml2::XMLElement*>& replaced);
  [[nodiscard]] bool mustStay(const tinyxml2::XMLElement& body,
                              const tinyxml2::XMLElement& geom) const;

  MjcfSource source_;
  MjcfDefaults defaults_;
  MjcfCompiler compiler_;
  std::set<std::string> named_;  ///< geoms that others than bodies name
};

}  // namespace nearmiss::app::robot
