// SPDX-License-Identifier: MIT
#include "lab/projection_sets.h"

#include <algorithm>
#include <cmath>

#include "lab/random_crowd.h"

namespace nearmiss::app {

BoundSet drawBoundSet(SplitMix& random, int count, bool planes) {
  BoundSet set;
  set.until = random.between(0.5, 2.0);
  CrowdSettings settings;
  settings.count = count;
  settings.speed = random.between(0.2, 3.0);
  settings.firstMeeting = set.until * std::pow(10.0, random.between(-2.0, 1.0));
  const Crowd crowd = drawCrowd(random, settings);
  const Real acceleration = random.between(0.0, 3.0);
  set.planes.reserve(crowd.bodies.size());
  for (const BodyState& body : crowd.bodies) {
    SpaceTimeBound& bound = set.bounds.emplace_back();
    bound.end = set.until;
    bound.position = body.pose.position;
    bound.velocity = drawInCube(random, settings.speed);
    bound.radius = halfEdgeOf(body);
    bound.acceleration = acceleration * random.unit();
    if (!planes || random.unit() > 2.0 / 3.0) continue;
    const Real reverse = random.unit() < 0.5 ? 0.0 : 0.3 * bound.acceleration;
    set.planes.push_back({drawDirection(random), reverse});
    bound.planes = std::span(&set.planes.back(), 1);
  }
  return set;
}

std::optional<Real> firstMeetingOfAll(const BoundSet& set) {
  std::optional<Real> first;
  for (std::size_t i = 0; i < set.bounds.size(); ++i)
    for (std::size_t j = i + 1; j < set.bounds.size(); ++j) {
      const auto faces = trapezoidOverlap(set.bounds[i], set.bounds[j]);
      // A plane never makes a meeting sooner
      if (!faces || (first && faces->first >= *first)) continue;
      const auto meeting = earliestMeeting(set.bounds[i], set.bounds[j]);
      if (meeting && (!first || *meeting < *first)) first = meeting;
    }
  return first;
}

}  // namespace nearmiss::app
