// SPDX-License-Identifier: MIT
#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/world.h>

#include <cstdint>
#include <string_view>

#include "body_set_parts.h"

namespace nearmiss {
namespace {

constexpr std::string_view cannotAskSet = "cannot ask about the bodies";

BodyHandle handleOf(const FoundBody& found) noexcept {
  return found.index == noBody ? BodyHandle{} : BodyHandle{found.key};
}

}  // namespace

const BodyQueries& BodySet::Parts::preparedQueries() {
  sortByHandle();
  if (!queries) {
    queries = std::make_unique<BodyQueries>(shapes);
    placed = false;
  }
  if (!placed) queries->take(states);
  placed = true;
  return *queries;
}

/// Returns ask(queries, index of `except`).
template <class Ask>
auto BodySet::Parts::askBodies(BodyHandle except, const Ask& ask)
    -> std::invoke_result_t<const Ask&, const BodyQueries&, std::uint32_t> {
  return orOutOfMemory(
      cannotAskSet, [&]() -> std::invoke_result_t<const Ask&, const BodyQueries&, std::uint32_t> {
        const BodyQueries& all = preparedQueries();
        if (except == BodyHandle{}) return ask(all, noBody);
        const auto at = indexOf.find(static_cast<std::uint32_t>(except));
        if (at == indexOf.end()) return noSuchBody(except);
        return ask(all, at->second);
      });
}

Result<BodySetRayHit> BodySet::raycast(const Ray& ray, const TimeBudget& budget,
                                       BodyHandle except) {
  if (const auto sound = check(ray); !sound) return sound.error();
  return parts_->askBodies(
      except, [&](const BodyQueries& all, std::uint32_t index) -> Result<BodySetRayHit> {
        const BodyRayHit found = all.raycast(ray, budget, index);
        return BodySetRayHit{handleOf(found.body), found.hit};
      });
}

Result<BodySetNearestPoint> BodySet::nearestPoint(const Vec3& point, const TimeBudget& budget,
                                                  Real reach, BodyHandle except) {
  if (const auto sound = check(point, reach); !sound) return sound.error();
  return parts_->askBodies(
      except, [&](const BodyQueries& all, std::uint32_t index) -> Result<BodySetNearestPoint> {
        const BodyNearestPoint found = all.nearest(point, budget, reach, index);
        return BodySetNearestPoint{handleOf(found.body), found.nearest};
      });
}

Result<bool> BodySet::holding(const Vec3& point, std::vector<BodyHandle>& out,
                              const TimeBudget& budget) {
  if (const auto sound = check(point); !sound) return sound.error();
  return parts_->askBodies(BodyHandle{},
                           [&](const BodyQueries& all, std::uint32_t) -> Result<bool> {
                             std::vector<FoundBody>& found = parts_->holders;
                             const bool complete = all.holding(point, found, budget);
                             out.clear();
                             for (const FoundBody& body : found) out.push_back(handleOf(body));
                             return complete;
                           });
}

}  // namespace nearmiss
