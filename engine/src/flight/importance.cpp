// SPDX-License-Identifier: MIT
#include <engine/flight/importance.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "flight/shared_pieces.h"

namespace nearmiss::engine {

namespace {

/// Returns true if the sphere may be in the cone; also true for some spheres near it.
bool mayBeInView(const View& view, const BodyState& body) noexcept {
  const Vec3 offset = body.pose.position - view.eye;
  const Real ahead = glm::dot(offset, view.direction);
  return ahead + 2.0 * body.shape.radius() >= view.cosine * glm::length(offset);
}

/// Ships per unit of work.
constexpr std::size_t shipsPerPiece = 512;

}  // namespace

void assignImportance(Ships& ships, std::size_t user, const ImportanceRule& rule,
                      const std::optional<View>& view, WorkerPool* pool) {
  const auto states = ships.states();
  const Vec3 centre = states[user].pose.position;
  const Real radius = states[user].shape.radius();
  const Real within = std::isnan(rule.fullWithin) ? 0.0 : rule.fullWithin;
  const auto importanceOf = [&](std::size_t index) {
    const BodyState& body = states[index];
    const Real apart = glm::distance(body.pose.position, centre) - body.shape.radius() - radius;
    if (index == user || !(apart > within)) return fullImportance;
    // Halved at a distance of 1 m, a third at 2 m; resolution (1 + d)^2 / 2^32 metres
    constexpr Real almostFull = 4294967040.0;
    const Real share = view && !mayBeInView(*view, body) ? View::outside : 1.0;
    return static_cast<std::uint32_t>(share * almostFull / (1.0 + apart - within));
  };
  const std::size_t pieces = (states.size() + shipsPerPiece - 1) / shipsPerPiece;
  forEachPiece(pool, pieces, [&](std::size_t p) {
    const std::size_t end = std::min(states.size(), (p + 1) * shipsPerPiece);
    for (std::size_t index = p * shipsPerPiece; index < end; ++index)
      ships.setImportance(index, importanceOf(index));
  });
}

}  // namespace nearmiss::engine
