// SPDX-License-Identifier: MIT
#include "tools/tree/divided_set.h"

#include <algorithm>
#include <compare>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace nearmiss::app::tree {
namespace {

/// The minimum ball around two balls, rounded up slightly. Its H follows from theirs: each of its
/// points is at most as far from one of the two as the ball extends beyond that one.
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

/// Repeatedly merges the two with the smallest common ball until `count` are left.
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
    // The parent's ball covers the same surface as its children
    if (least.sphere.radius > parent.sphere.radius) least = parent;
    parts[first] = std::move(least);
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(second));
  }
}

/// A sphere by level and index in the level.
struct ListIndex {
  std::size_t level = 0, index = 0;
  friend auto operator<=>(const ListIndex&, const ListIndex&) = default;
};

/// A set of spheres during division.
class DividedSet {
 public:
  explicit DividedSet(const std::vector<std::vector<ListedSphere>>& levels) : levels_(levels) {
    for (const std::vector<ListedSphere>& level : levels) {
      std::vector<Standing>& standings = standings_.emplace_back();
      for (const ListedSphere& sphere : level) standings.push_back({sphere.children.size(), false});
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool has(ListIndex index) const { return standingOf(index).chosen; }
  [[nodiscard]] const ListedSphere& at(ListIndex index) const {
    return levels_[index.level][index.index];
  }
  void add(ListIndex index) { set(index, true); }
  void remove(ListIndex index) { set(index, false); }

  /// The sphere with the greatest H (the first of several) that can be divided and has at most
  /// `fresh` children that are not in the set yet.
  [[nodiscard]] std::optional<ListIndex> worst(std::size_t fresh) const {
    std::optional<Rank> found;
    for (auto rank = open_.begin(); rank != open_.end() && rank->first <= fresh; ++rank)
      if (!found || *rank->second.begin() < *found) found = *rank->second.begin();
    if (!found) return std::nullopt;
    return found->index;
  }

  /// All spheres in order.
  [[nodiscard]] std::vector<ListedSphere> listed() const {
    std::vector<ListedSphere> all;
    for (std::size_t l = 0; l < levels_.size(); ++l)
      for (std::size_t i = 0; i < levels_[l].size(); ++i)
        if (has({l, i})) all.push_back(at({l, i}));
    return all;
  }

 private:
  struct Standing {
    std::size_t fresh = 0;  ///< number of children that are not in the set
    bool chosen = false;
  };
  struct Rank {
    Real h = 0.0;
    ListIndex index;
    friend bool operator<(const Rank& a, const Rank& b) noexcept {
      return a.h != b.h ? a.h > b.h : a.index < b.index;
    }
  };

  [[nodiscard]] const Standing& standingOf(ListIndex index) const {
    return standings_[index.level][index.index];
  }
  void set(ListIndex index, bool chosen) {
    Standing& standing = standings_[index.level][index.index];
    if (standing.chosen == chosen) return;
    close(index);
    standing.chosen = chosen;
    open(index);
    size_ = chosen ? size_ + 1 : size_ - 1;
    for (const std::size_t parent : at(index).parents) {
      const ListIndex above{index.level - 1, parent};
      std::size_t& fresh = standings_[above.level][above.index].fresh;
      close(above);
      fresh = chosen ? fresh - 1 : fresh + 1;
      open(above);
    }
  }
  // Updates whether it can be divided
  void open(ListIndex index) {
    if (!has(index) || index.level + 1 >= levels_.size() || at(index).children.empty()) return;
    open_[standingOf(index).fresh].insert({at(index).h, index});
  }
  void close(ListIndex index) {
    const auto ranks = open_.find(standingOf(index).fresh);
    if (!has(index) || ranks == open_.end()) return;
    ranks->second.erase({at(index).h, index});
    if (ranks->second.empty()) open_.erase(ranks);
  }

  const std::vector<std::vector<ListedSphere>>& levels_;
  std::vector<std::vector<Standing>> standings_;  ///< by level and index
  std::map<std::size_t, std::set<Rank>> open_;    ///< spheres that can be divided, by `fresh`
  std::size_t size_ = 0;
};

}  // namespace

std::vector<ListedSphere> dividedSet(const std::vector<std::vector<ListedSphere>>& levels,
                                     std::size_t count) {
  DividedSet set(levels);
  set.add({0, 0});
  std::vector<ListedSphere> parts;  // of a sphere that was partly divided
  while (set.size() < count) {
    const std::size_t room = count - set.size();
    const auto fitting = set.worst(room + 1);
    const auto divided = fitting ? fitting : set.worst(std::numeric_limits<std::size_t>::max());
    if (!divided) break;
    set.remove(*divided);
    for (const std::size_t child : set.at(*divided).children) {
      const ListIndex index{divided->level + 1, child};
      if (fitting)
        set.add(index);
      else if (!set.has(index))
        parts.push_back(set.at(index));
    }
    if (fitting) continue;
    mergeDownTo(room + 1, set.at(*divided), parts);
    break;
  }

  std::vector<ListedSphere> all = set.listed();
  all.insert(all.end(), parts.begin(), parts.end());
  for (ListedSphere& sphere : all) {
    sphere.parents.clear();
    sphere.children.clear();
  }
  return all;
}

}  // namespace nearmiss::app::tree
