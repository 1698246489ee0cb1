// SPDX-License-Identifier: MIT
/// Readers of robots and of sphere sets.
#include <tinyxml2.h>
#include <cmath>

#include "fuzz/target.h"
#include "tools/robot/audit/sphere_sets.h"
#include "tools/robot/robot_file.h"

namespace nearmiss::fuzz {
namespace {

void readRobotFile(std::string_view name, Bytes bytes) {
  const auto read = app::robot::readRobot(asFile(name, bytes), {true, {}});
  if (!read) return demandSentence(read.error().message);
  for (const app::robot::RobotLink& link : read->links)
    for (const app::robot::LinkShape& shape : link.shapes)
      for (int axis = 0; axis < 3; ++axis)
        demand(std::isfinite(shape.at[axis]), "a shape of a link lies somewhere");
}

/// The first byte chooses the kind of file.
void readSpheres(Bytes bytes) {
  if (bytes.empty()) return;
  constexpr std::string_view names[] = {"x.yml", "x.json", "x.csv", "x.urdf"};
  const auto read =
      app::robot::readSphereSets(asFile(names[bytes.front() % std::size(names)], bytes.subspan(1)));
  if (!read) return demandSentence(read.error().message);
  for (const app::robot::SphereSet& link : read->links)
    for (const Sphere& sphere : link.spheres)
      demand(std::isfinite(sphere.radius) && std::isfinite(sphere.centre.x), "a sphere is finite");
}

}  // namespace

std::vector<Target> robotTargets() {
  using Seeds = std::vector<std::string>;
  return {
      {"urdf", [](Bytes bytes) { readRobotFile("x.urdf", bytes); },
       [] {
         return Seeds{
             "<robot name=\"r\"><link name=\"a\"><collision><origin xyz=\"0 1 2\" rpy=\"0 0 1\"/>"
             "<geometry><box size=\"1 2 3\"/></geometry></collision><collision><geometry>"
             "<cylinder radius=\"1\" length=\"2\"/></geometry></collision><visual><geometry>"
             "<sphere radius=\"0.5\"/></geometry></visual></link></robot>"};
       }},
      {"mjcf", [](Bytes bytes) { readRobotFile("x.xml", bytes); },
       [] {
         return Seeds{
             "<mujoco><compiler angle=\"radian\" eulerseq=\"XYZ\"/><default><geom contype=\"1\"/>"
             "<default class=\"c\"><geom type=\"capsule\" size=\"0.1 0.2\"/></default></default>"
             "<asset><mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" scale=\"1 2 1\"/></asset>"
             "<worldbody><body name=\"b\" pos=\"0 0 1\" euler=\"0.1 0.2 0.3\"><geom class=\"c\" "
             "fromto=\"0 0 0 1 1 1\"/><frame pos=\"1 0 0\"><geom type=\"mesh\" mesh=\"m\"/></frame>"
             "<body><geom type=\"ellipsoid\" size=\"1 2 3\" quat=\"1 0 0 1\"/></body></body>"
             "</worldbody></mujoco>"};
       }},
      {"spheres", readSpheres,
       [] {
         return Seeds{std::string(1, '\0') +
                          "collision_spheres:\n  a: &x\n    - {center: [0, 1, 2], radius: 0.5}\n  "
                          "b: *x\ncollision_sphere_buffer: 0.01\n",
                      std::string(1, '\1') +
                          "{\"links\":{\"a\":[{\"origin\":[0,1,2],\"radius\":0.5},[1,2,3,4]]}}",
                      std::string(1, '\2') + "link,x,y,z,radius\na,0,1,2,0.5\n"};
       }},
  };
}

}  // namespace nearmiss::fuzz
