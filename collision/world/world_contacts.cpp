// SPDX-License-Identifier: MIT
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/world.h>

#include <algorithm>
#include <span>
#include <utility>

#include "world/world_parts.h"

namespace nearmiss {

/// Writes the current manifolds to `pendingTouching`.
void World::Parts::collectContacts() {
  KeptContacts& out = pendingTouching;
  out.answer.pairs.clear();
  out.answer.complete = true;
  out.points.clear();
  const std::span<const KeptManifold* const> all = manifolds.current();
  // Set the spans afterwards, when the list no longer grows
  for (const KeptManifold* kept : all)
    out.points.insert(out.points.end(), kept->points().begin(), kept->points().end());
  std::size_t first = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const KeptManifold& kept = *all[i];
    PairContacts pair;
    pair.bodies = kept.bodies;
    pair.points = std::span(out.points).subspan(first, kept.points().size());
    first += pair.points.size();
    pair.depthKnown = kept.known.depthKnown;
    pair.canRefine = !kept.done;
    pair.sensed = sensed(nearPairs[i].a, nearPairs[i].b);
    out.answer.complete = out.answer.complete && !pair.canRefine;
    if (!pair.points.empty() || pair.canRefine || !pair.depthKnown)
      out.answer.pairs.push_back(pair);
  }
}

Result<const WorldContacts*> World::contacts(const ManifoldSettings& settings,
                                             const TimeBudget& budget) {
  if (const auto sound = check(settings); !sound) return sound.error();
  return orOutOfMemory("cannot find the contacts", [&]() -> Result<const WorldContacts*> {
    Parts& p = *parts_;
    // All bodies are within this distance of each other; squares of longer ones may overflow
    constexpr Real enough = 16.0 * maxPoseMagnitude;
    p.sortByHandle();
    p.nearPairs.clear();
    for (const BodyPair& pair :
         p.neighbours.find(p.states, p.shapes, std::min(settings.margin, enough), budget))
      if (p.counts(pair.a, pair.b)) p.nearPairs.push_back(pair);
    p.manifolds.update(p.states, p.shapes, p.nearPairs, settings, budget);
    p.collectContacts();
    // On an error the previous result stays
    std::swap(p.touching, p.pendingTouching);
    return &p.touching.answer;
  });
}

}  // namespace nearmiss
