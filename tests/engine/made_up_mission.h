// SPDX-License-Identifier: MIT
/// A mission whose frames a test makes up.
#pragma once

#include <engine/game/mission.h>

#include <vector>

namespace nearmiss::engine::test {

inline BodyState sphereAt(const Vec3& place, Real size = 1.0) {
  BodyState body;
  body.shape = ShapeRef::ofRadius(size);
  body.pose.position = place;
  return body;
}

struct MadeUpMission {
  std::vector<BodyState> bodies{sphereAt({0.0, 0.0, 20.0})};  ///< the first is the user's ship
  FrameOutput output;
  Mission mission;

  void begin(MissionKind kind) {
    for (const MissionRules& rules : missions)
      if (rules.kind == kind) mission.begin(rules, bodies, 0);
  }
  /// A frame that ends at that time, with the user's ship at that place.
  MissionState at(Real time, const Vec3& place, std::vector<Hit> hits = {},
                  std::vector<NearMiss> passes = {}) {
    bodies[0].pose.position = place;
    output.bodies = bodies;
    output.profile.simTime = time;
    return mission.take(output, 0, passes, hits);
  }
  /// A frame of that length.
  MissionState fly(const Vec3& place, std::vector<Hit> hits = {}, Real seconds = 1.0 / 60.0) {
    return at(output.profile.simTime + seconds, place, std::move(hits));
  }
};

}  // namespace nearmiss::engine::test
