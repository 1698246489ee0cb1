// SPDX-License-Identifier: MIT
#include "builders/sphere_merging.h"

#include <nearmiss/detail/assertion.h>
#include <nearmiss/detail/cancellation.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "spheres/enclosing_ball.h"

namespace nearmiss {
namespace {

std::vector<std::uint32_t> unionOf(const std::vector<std::uint32_t>& a,
                                   const std::vector<std::uint32_t>& b) {
  std::vector<std::uint32_t> all;
  all.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

}  // namespace

Sphere ritterBall(std::span<const Vec3> points) noexcept {
  NEARMISS_ASSERT(!points.empty());
  // Start with two points far apart
  const Vec3 a = points[farthestPoint(points[0], points)];
  const Vec3 b = points[farthestPoint(a, points)];
  Sphere ball{0.5 * (a + b), 0.5 * glm::distance(a, b)};
  // Grow towards every point outside just as far as necessary
  for (const Vec3& p : points) {
    const Real distance = glm::distance(p, ball.centre);
    if (distance <= ball.radius) continue;
    const Real radius = 0.5 * (ball.radius + distance);
    ball.centre += (p - ball.centre) * ((distance - radius) / distance);
    ball.radius = radius;
  }
  // Rounding may have left points outside
  ball.radius = glm::distance(points[farthestPoint(ball.centre, points)], ball.centre);
  return ball;
}

Real exitDistance(const Sphere& ball, const Vec3& p, const Vec3& normal) noexcept {
  const Vec3 toCentre = ball.centre - p;
  const Real height = glm::dot(normal, toCentre);
  const Vec3 aside = toCentre - height * normal;
  const Real rest = ball.radius * ball.radius - glm::dot(aside, aside);
  return std::max(0.0, std::sqrt(std::max(0.0, rest)) + height);
}

SphereMerging::SphereMerging(const MedialAxis& axis, std::span<const std::uint32_t> spheres,
                             bool byArea, std::uint64_t exactVisits,
                             const std::atomic<bool>* cancelled)
    : axis_(&axis),
      byArea_(byArea),
      exactVisits_(exactVisits),
      cancelled_(cancelled),
      nodes_(spheres.size()),
      liveCount_(spheres.size()) {
  constexpr std::uint32_t none = 0xffffffff;
  std::vector<std::uint32_t> indexOf(axis.spheres.size(), none);
  for (std::uint32_t i = 0; i < spheres.size(); ++i) indexOf[spheres[i]] = i;
  for (std::uint32_t i = 0; i < spheres.size(); ++i) {
    const MedialSphere& sphere = axis.spheres[spheres[i]];
    Node& node = nodes_[i];
    node.cluster = {sphere.ball, sphere.points, {spheres[i]}};
    for (const std::uint32_t s : sphere.neighbours)
      if (indexOf[s] != none) node.neighbours.push_back({indexOf[s], 0.0, false});
    for (const std::uint32_t s : sphere.farNeighbours)
      if (indexOf[s] != none) node.farNeighbours.push_back(indexOf[s]);
    std::sort(node.neighbours.begin(), node.neighbours.end(), byIndex);
    std::sort(node.farNeighbours.begin(), node.farNeighbours.end());
  }
  settleAll();
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> SphereMerging::pairs() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].live)
      for (const Neighbour& near : nodes_[i].neighbours)
        if (i < near.index) found.emplace_back(i, near.index);
  return found;
}

/// Stores the union of the forming points in union_, and their positions in positions_.
Sphere SphereMerging::merged(std::uint32_t a, std::uint32_t b) {
  const auto &p = nodes_[a].cluster.points, &q = nodes_[b].cluster.points;
  union_.clear();
  std::set_union(p.begin(), p.end(), q.begin(), q.end(), std::back_inserter(union_));
  positions_.clear();
  for (const std::uint32_t point : union_) positions_.push_back(axis_->points[point].position);
  visits_ += union_.size();
  return ritterBall(positions_);
}

Real SphereMerging::costOf(std::uint32_t a, std::uint32_t b) {
  const Sphere ball = merged(a, b);
  Real cost = 0.0;
  if (axis_->bothSides) {
    // A ball protrudes by up to its radius. Its points lie on its rim, where normals leave it
    cost = ball.radius;
  } else {
    for (std::size_t i = 0; i < union_.size(); ++i)
      cost = std::max(cost, exitDistance(ball, positions_[i], axis_->normals[union_[i]]));
  }
  return byArea_ ? cost * static_cast<Real>(union_.size()) : cost;
}

SphereMerging::Neighbour& SphereMerging::between(std::uint32_t of, std::uint32_t other) {
  auto& list = nodes_[of].neighbours;
  return *std::lower_bound(list.begin(), list.end(), Neighbour{other, 0.0, false}, byIndex);
}

/// Computes the cost of a pair and stores it with both clusters.
void SphereMerging::settle(std::uint32_t a, std::uint32_t b) {
  const Real cost = costOf(a, b);
  for (Neighbour* pair : {&between(a, b), &between(b, a)}) {
    pair->cost = cost;
    pair->settled = true;
  }
}

/// Computes the costs of all pairs of a cluster with clusters of lower number.
void SphereMerging::settleLower(std::uint32_t b) {
  for (std::size_t i = 0; i < nodes_[b].neighbours.size(); ++i)
    if (const std::uint32_t a = nodes_[b].neighbours[i].index; a < b) settle(a, b);
  push(b);
}

/// Computes the costs of all pairs of neighbours.
void SphereMerging::settleAll() {
  for (std::uint32_t i = 0; i < nodes_.size() && !wasCancelled(cancelled_); ++i)
    if (nodes_[i].live) settleLower(i);
}

void SphereMerging::push(std::uint32_t b) {
  Candidate best{0.0, b, b};
  for (const Neighbour& near : nodes_[b].neighbours) {
    if (near.index >= b) break;
    if (best.a != b && near.cost >= best.cost) continue;
    best.a = near.index;
    best.cost = near.cost;
  }
  if (best.a == b) return;
  queue_.push_back(best);
  std::push_heap(queue_.begin(), queue_.end());
}

/// Replaces both clusters by the merger, which has the highest number, in the lists of all their
/// neighbours. The costs stay until they are recomputed.
void SphereMerging::takeNeighbours(std::uint32_t from1, std::uint32_t from2, std::uint32_t to) {
  const auto &p = nodes_[from1].neighbours, &q = nodes_[from2].neighbours;
  std::vector<Neighbour> both;
  both.reserve(p.size() + q.size());
  std::merge(p.begin(), p.end(), q.begin(), q.end(), std::back_inserter(both), byIndex);
  auto& list = nodes_[to].neighbours;
  for (const Neighbour& near : both) {
    if (near.index == from1 || near.index == from2) continue;
    if (!list.empty() && list.back().index == near.index)
      list.back().cost = std::min(list.back().cost, near.cost);
    else
      list.push_back({near.index, near.cost, false});
  }
  for (const Neighbour& near : list) {
    auto& others = nodes_[near.index].neighbours;
    std::erase_if(others, [=](const Neighbour& n) { return n.index == from1 || n.index == from2; });
    others.push_back({to, near.cost, false});
  }
  nodes_[from1].neighbours = {};
  nodes_[from2].neighbours = {};
}

void SphereMerging::takeFarNeighbours(std::uint32_t from1, std::uint32_t from2, std::uint32_t to) {
  auto& list = nodes_[to].farNeighbours;
  list = unionOf(nodes_[from1].farNeighbours, nodes_[from2].farNeighbours);
  std::erase_if(list, [=](std::uint32_t i) { return i == from1 || i == from2; });
  for (const std::uint32_t i : list) {
    auto& others = nodes_[i].farNeighbours;
    std::erase_if(others, [=](std::uint32_t j) { return j == from1 || j == from2; });
    others.push_back(to);
  }
  nodes_[from1].farNeighbours = {};
  nodes_[from2].farNeighbours = {};
}

void SphereMerging::merge(std::uint32_t a, std::uint32_t b) {
  const auto c = static_cast<std::uint32_t>(nodes_.size());
  Node& node = nodes_.emplace_back();
  node.cluster.ball = merged(a, b);
  node.cluster.points = union_;
  node.cluster.spheres = unionOf(nodes_[a].cluster.spheres, nodes_[b].cluster.spheres);
  takeNeighbours(a, b, c);
  takeFarNeighbours(a, b, c);
  for (const std::uint32_t dead : {a, b}) {
    nodes_[dead].live = false;
    nodes_[dead].cluster = {};
  }
  --liveCount_;
  if (visits_ < exactVisits_)
    settleLower(c);
  else
    push(c);
}

bool SphereMerging::mergeCheapest(Step* step) {
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end());
    const Candidate best = queue_.back();
    queue_.pop_back();
    if (!nodes_[best.b].live) continue;
    if (!nodes_[best.a].live) {
      push(best.b);
      continue;
    }
    const Neighbour& pair = between(best.b, best.a);
    if (!pair.settled || pair.cost != best.cost) {
      if (!pair.settled) settle(best.a, best.b);
      push(best.b);
      continue;
    }
    if (step) *step = {best.a, best.b, best.cost};
    merge(best.a, best.b);
    return true;
  }
  return false;
}

/// Up to this number of clusters, all are compared with each other.
constexpr std::size_t maxAllPairs = 1024;

/// Makes all live clusters neighbours. If there are too many, links each with the next by number:
/// points that all coincide have no links.
void SphereMerging::tieAll() {
  std::vector<std::uint32_t> live;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].live) live.push_back(i);
  const std::size_t reach = live.size() > maxAllPairs ? 1 : live.size();
  for (std::size_t i = 0; i < live.size(); ++i)
    for (std::size_t j = i - std::min(i, reach); j < live.size() && j <= i + reach; ++j)
      if (j != i) nodes_[live[i]].neighbours.push_back({live[j], 0.0, false});
}

void SphereMerging::widen() {
  bool any = false;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    Node& node = nodes_[i];
    if (!node.live || node.farNeighbours.empty()) continue;
    any = true;
    for (const std::uint32_t far : node.farNeighbours) node.neighbours.push_back({far, 0.0, false});
    node.farNeighbours.clear();
  }
  if (!any) tieAll();
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    auto& list = nodes_[i].neighbours;
    if (!nodes_[i].live) continue;
    std::sort(list.begin(), list.end(), byIndex);
    const auto same = [](const Neighbour& n, const Neighbour& m) { return n.index == m.index; };
    list.erase(std::unique(list.begin(), list.end(), same), list.end());
  }
  settleAll();
}

std::vector<SphereCluster> SphereMerging::live() const {
  std::vector<SphereCluster> clusters;
  for (const Node& node : nodes_)
    if (node.live) clusters.push_back(node.cluster);
  return clusters;
}

}  // namespace nearmiss
