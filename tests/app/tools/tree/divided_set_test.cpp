// SPDX-License-Identifier: MIT
/// Sets of spheres that a tree is divided into, one by one.
#include "tools/tree/divided_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "support/random.h"

namespace nearmiss::app::tree {
namespace {

using Levels = std::vector<std::vector<ListedSphere>>;
using Place = std::pair<std::size_t, std::size_t>;

void join(Levels& levels, std::size_t level, std::size_t parent, std::size_t child) {
  levels[level][parent].children.push_back(child);
  levels[level + 1][child].parents.push_back(parent);
}

/// Levels whose spheres have one to four children, some of them in common, and few values of H.
Levels anyLevels(test::Random& random) {
  Levels levels(1, std::vector<ListedSphere>(1));
  for (std::size_t level = 0; level < 4; ++level) {
    levels.emplace_back();
    for (std::size_t parent = 0; parent < levels[level].size(); ++parent) {
      const bool leaf = level > 0 && random.chance(0.1);
      const std::size_t children = leaf ? 0 : 1 + static_cast<std::size_t>(random.whole(0, 3));
      std::size_t next = levels[level + 1].size();
      if (next > 0 && random.chance(0.3)) --next;
      levels[level + 1].resize(std::max(levels[level + 1].size(), next + children));
      for (std::size_t child = next; child < next + children; ++child)
        join(levels, level, parent, child);
    }
  }
  Real x = 0.0;
  for (std::vector<ListedSphere>& level : levels)
    for (ListedSphere& sphere : level) {
      sphere.sphere = {Vec3(x += 1.0, 0.0, 0.0), 1.0};
      sphere.h = 0.25 * static_cast<Real>(random.whole(0, 7));
    }
  return levels;
}

/// The spheres that are chosen while children of some sphere fit, each time looked for among all.
std::set<Place> chosenOneByOne(const Levels& levels, std::size_t count) {
  std::set<Place> chosen{{0, 0}};
  while (chosen.size() < count) {
    const std::size_t room = count - chosen.size();
    Place worst{};
    Real worstH = -1.0;
    for (const Place& place : chosen) {
      const ListedSphere& sphere = levels[place.first][place.second];
      if (place.first + 1 >= levels.size() || sphere.children.empty()) continue;
      const auto fresh = std::ranges::count_if(sphere.children, [&](std::size_t child) {
        return !chosen.contains({place.first + 1, child});
      });
      if (static_cast<std::size_t>(fresh) > room + 1 || sphere.h <= worstH) continue;
      worst = place;
      worstH = sphere.h;
    }
    if (worstH < 0.0) break;
    chosen.erase(worst);
    for (const std::size_t child : levels[worst.first][worst.second].children)
      chosen.insert({worst.first + 1, child});
  }
  return chosen;
}

TEST(DividedSet, HasWhatASearchAmongAllChooses) {
  test::Random random(81);
  std::size_t whole = 0;
  for (int i = 0; i < 60; ++i) {
    const Levels levels = anyLevels(random);
    for (std::size_t count = 1; count < 40;
         count += 1 + static_cast<std::size_t>(random.whole(0, 2))) {
      const auto set = dividedSet(levels, count);
      EXPECT_LE(set.size(), count);
      const std::set<Place> chosen = chosenOneByOne(levels, count);
      if (chosen.size() != set.size()) continue;  // ends with parts of a sphere
      ++whole;
      std::size_t at = 0;
      for (const Place& place : chosen)
        ASSERT_EQ(set[at++].sphere.centre.x, levels[place.first][place.second].sphere.centre.x);
    }
  }
  EXPECT_GT(whole, 500u);
}

/// Among all that are chosen nothing is looked for: that took hours.
TEST(DividedSet, OfAHundredThousandSpheresIsThereAtOnce) {
  Levels levels(1, std::vector<ListedSphere>(1));
  for (std::size_t level = 0; level < 6; ++level) {
    levels.emplace_back(8 * levels[level].size());
    for (std::size_t child = 0; child < levels[level + 1].size(); ++child) {
      join(levels, level, child / 8, child);
      levels[level + 1][child].h = 1.0 / static_cast<Real>(1 + level + child % 3);
    }
  }
  EXPECT_EQ(dividedSet(levels, 100'000).size(), 100'000u);
}

}  // namespace
}  // namespace nearmiss::app::tree
