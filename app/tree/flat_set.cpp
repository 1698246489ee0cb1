// SPDX-License-Identifier: MIT
#include <nearmiss/tree_quality.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "console/progress_line.h"
#include "tree/flat_set.h"

namespace nearmiss::app::tree {
namespace {

/// A sphere by level and index in it.
using ListIndex = std::pair<std::size_t, std::size_t>;

/// The least ball about two balls, a little rounded up; its H follows from theirs: no point of it
/// is farther from one of the two than the ball reaches beyond that one.
ListedSphere merged(const ListedSphere& a, const ListedSphere& b) {
  const Real distance = glm::distance(a.sphere.centre, b.sphere.centre);
  const ListedSphere& larger = a.sphere.radius >= b.sphere.radius ? a : b;
  const ListedSphere& other = &larger == &a ? b : a;
  ListedSphere ball = larger;
  if (distance + other.sphere.radius > larger.sphere.radius) {
    ball.sphere.radius = 0.5 * (distance + a.sphere.radius + b.sphere.radius);
    const Real along = (ball.sphere.radius - larger.sphere.radius) / distance;
    ball.sphere.centre += along * (other.sphere.centre - larger.sphere.centre);
    ball.sphere.radius *= 1.0 + 1e-12;
  }
  ball.h = 2.0 * ball.sphere.radius;
  for (const ListedSphere* part : {&a, &b}) {
    const Real beyond = glm::distance(part->sphere.centre, ball.sphere.centre) +
                        ball.sphere.radius - part->sphere.radius;
    ball.h = std::min(ball.h, part->h + beyond);
  }
  return ball;
}

/// Merges the two whose ball is least until `count` are left.
void mergeDownTo(std::size_t count, const ListedSphere& parent, std::vector<ListedSphere>& parts) {
  while (parts.size() > count) {
    std::size_t first = 0, second = 1;
    ListedSphere least;
    least.sphere.radius = std::numeric_limits<Real>::infinity();
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t j = i + 1; j < parts.size(); ++j)
        if (ListedSphere ball = merged(parts[i], parts[j]);
            ball.sphere.radius < least.sphere.radius) {
          least = std::move(ball);
          first = i;
          second = j;
        }
    // The parent's ball holds all surface that its children cover
    if (least.sphere.radius > parent.sphere.radius) least = parent;
    parts[first] = std::move(least);
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(second));
  }
}

}  // namespace

std::vector<ListedSphere> flatSet(const std::vector<std::vector<ListedSphere>>& levels,
                                  std::size_t count) {
  const auto at = [&](ListIndex index) -> const ListedSphere& {
    return levels[index.first][index.second];
  };
  std::set<ListIndex> chosen{{0, 0}};
  std::vector<ListedSphere> parts;  // of one sphere that was divided in part
  while (chosen.size() < count) {
    const std::size_t room = count - chosen.size();
    ListIndex worst{}, worstFitting{};
    Real worstH = -1.0, worstFittingH = -1.0;
    for (const ListIndex& index : chosen) {
      const ListedSphere& sphere = at(index);
      if (index.first + 1 >= levels.size() || sphere.children.empty()) continue;
      std::size_t fresh = 0;
      for (const std::size_t child : sphere.children)
        fresh += chosen.contains({index.first + 1, child}) ? 0 : 1;
      if (sphere.h > worstH) {
        worst = index;
        worstH = sphere.h;
      }
      if (fresh <= room + 1 && sphere.h > worstFittingH) {
        worstFitting = index;
        worstFittingH = sphere.h;
      }
    }
    if (worstH < 0.0) break;

    const ListIndex divided = worstFittingH < 0.0 ? worst : worstFitting;
    chosen.erase(divided);
    for (const std::size_t child : at(divided).children) {
      const ListIndex index{divided.first + 1, child};
      if (worstFittingH >= 0.0) {
        chosen.insert(index);
      } else if (!chosen.contains(index)) {
        parts.push_back(at(index));
      }
    }
    if (worstFittingH >= 0.0) continue;
    mergeDownTo(room + 1, at(divided), parts);
    break;
  }

  std::vector<ListedSphere> set;
  for (const ListIndex& index : chosen) set.push_back(at(index));
  set.insert(set.end(), parts.begin(), parts.end());
  for (ListedSphere& sphere : set) {
    sphere.parents.clear();
    sphere.children.clear();
  }
  return set;
}

Result<std::vector<Sphere>> fittedSpheres(const std::string& model, const Polyhedron& polyhedron,
                                          const FlatSetSettings& settings) {
  return answerWithProgressLine(
      fmt::format("fitting {} spheres to {}", settings.count, model),
      [&](BuildProgress& progress) { return fitFlatSet(polyhedron, settings, &progress); });
}

Result<std::vector<ListedSphere>> fittedSet(const std::string& model, const Polyhedron& polyhedron,
                                            const FlatSetSettings& settings) {
  constexpr Real tolerance = 0.02;  // of the radius, for H
  const auto fitted = fittedSpheres(model, polyhedron, settings);
  if (!fitted) return fitted.error();
  std::vector<ListedSphere> set;
  for (const Sphere& sphere : *fitted)
    set.push_back(
        {sphere, measureSphere(polyhedron, sphere, tolerance * sphere.radius).ball, {}, {}});
  return set;
}

}  // namespace nearmiss::app::tree
