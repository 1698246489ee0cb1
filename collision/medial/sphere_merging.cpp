// SPDX-License-Identifier: MIT
#include "medial/sphere_merging.h"

#include <nearmiss/assertion.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace nearmiss {
namespace {

std::size_t farthest(std::span<const Vec3> points, const Vec3& from) noexcept {
  std::size_t best = 0;
  Real distance = -1.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 between = points[i] - from;
    const Real square = glm::dot(between, between);
    if (square <= distance) continue;
    distance = square;
    best = i;
  }
  return best;
}

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
  const Vec3 a = points[farthest(points, points[0])];
  const Vec3 b = points[farthest(points, a)];
  Sphere ball{0.5 * (a + b), 0.5 * glm::distance(a, b)};
  // Grow towards every point outside just as far as it takes
  for (const Vec3& p : points) {
    const Real distance = glm::distance(p, ball.centre);
    if (distance <= ball.radius) continue;
    const Real radius = 0.5 * (ball.radius + distance);
    ball.centre += (p - ball.centre) * ((distance - radius) / distance);
    ball.radius = radius;
  }
  // Rounding may have left points outside
  ball.radius = glm::distance(points[farthest(points, ball.centre)], ball.centre);
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
                             bool byArea)
    : axis_(&axis), byArea_(byArea), nodes_(spheres.size()), liveCount_(spheres.size()) {
  constexpr std::uint32_t none = 0xffffffff;
  std::vector<std::uint32_t> indexOf(axis.spheres.size(), none);
  for (std::uint32_t i = 0; i < spheres.size(); ++i) indexOf[spheres[i]] = i;
  for (std::uint32_t i = 0; i < spheres.size(); ++i) {
    const MedialSphere& sphere = axis.spheres[spheres[i]];
    Node& node = nodes_[i];
    node.cluster = {sphere.ball, sphere.points, {spheres[i]}};
    for (const std::uint32_t s : sphere.neighbours)
      if (indexOf[s] != none) node.neighbours.push_back(indexOf[s]);
    for (const std::uint32_t s : sphere.farNeighbours)
      if (indexOf[s] != none) node.farNeighbours.push_back(indexOf[s]);
    std::sort(node.neighbours.begin(), node.neighbours.end());
    std::sort(node.farNeighbours.begin(), node.farNeighbours.end());
  }
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    for (const std::uint32_t j : nodes_[i].neighbours)
      if (i < j) queue_.push_back({costOf(i, j), i, j});
  std::make_heap(queue_.begin(), queue_.end());
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> SphereMerging::pairs() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].live)
      for (const std::uint32_t j : nodes_[i].neighbours)
        if (i < j) found.emplace_back(i, j);
  return found;
}

/// Leaves the union of the forming points in union_, and where they are in positions_.
Sphere SphereMerging::merged(std::uint32_t a, std::uint32_t b) {
  const auto &p = nodes_[a].cluster.points, &q = nodes_[b].cluster.points;
  union_.clear();
  std::set_union(p.begin(), p.end(), q.begin(), q.end(), std::back_inserter(union_));
  positions_.clear();
  for (const std::uint32_t point : union_) positions_.push_back(axis_->points[point].position);
  return ritterBall(positions_);
}

Real SphereMerging::costOf(std::uint32_t a, std::uint32_t b) {
  const Sphere ball = merged(a, b);
  Real cost = 0.0;
  for (std::size_t i = 0; i < union_.size(); ++i) {
    const Vec3& normal = axis_->normals[union_[i]];
    cost = std::max(cost, exitDistance(ball, positions_[i], normal));
    if (axis_->bothSides) cost = std::max(cost, exitDistance(ball, positions_[i], -normal));
  }
  return byArea_ ? cost * static_cast<Real>(union_.size()) : cost;
}

void SphereMerging::push(std::uint32_t a, std::uint32_t b) {
  queue_.push_back({costOf(a, b), std::min(a, b), std::max(a, b)});
  std::push_heap(queue_.begin(), queue_.end());
}

/// Every neighbour of one of the two becomes a neighbour of the merger instead, which has the
/// highest number.
void SphereMerging::rename(std::uint32_t from1, std::uint32_t from2, std::uint32_t to,
                           std::vector<std::uint32_t> Node::*list) {
  nodes_[to].*list = unionOf(nodes_[from1].*list, nodes_[from2].*list);
  std::erase_if(nodes_[to].*list, [=](std::uint32_t i) { return i == from1 || i == from2; });
  for (const std::uint32_t i : nodes_[to].*list) {
    std::erase_if(nodes_[i].*list, [=](std::uint32_t j) { return j == from1 || j == from2; });
    (nodes_[i].*list).push_back(to);
  }
  nodes_[from1].*list = {};
  nodes_[from2].*list = {};
}

bool SphereMerging::mergeCheapest(Step* step) {
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end());
    const Candidate best = queue_.back();
    queue_.pop_back();
    if (!nodes_[best.a].live || !nodes_[best.b].live) continue;
    if (step) *step = {best.a, best.b, best.cost};

    const auto c = static_cast<std::uint32_t>(nodes_.size());
    Node& node = nodes_.emplace_back();
    node.cluster.ball = merged(best.a, best.b);
    node.cluster.points = union_;
    node.cluster.spheres = unionOf(nodes_[best.a].cluster.spheres, nodes_[best.b].cluster.spheres);
    rename(best.a, best.b, c, &Node::neighbours);
    rename(best.a, best.b, c, &Node::farNeighbours);
    for (const std::uint32_t dead : {best.a, best.b}) {
      nodes_[dead].live = false;
      nodes_[dead].cluster = {};
    }
    --liveCount_;
    for (const std::uint32_t i : nodes_[c].neighbours) push(i, c);
    return true;
  }
  return false;
}

void SphereMerging::widen() {
  bool any = false;
  for (Node& node : nodes_)
    if (node.live && !node.farNeighbours.empty()) {
      any = true;
      node.neighbours = unionOf(node.neighbours, node.farNeighbours);
      node.farNeighbours.clear();
    }
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].live) continue;
    if (!any)
      for (std::uint32_t j = 0; j < nodes_.size(); ++j)
        if (j != i && nodes_[j].live) nodes_[i].neighbours.push_back(j);
    for (const std::uint32_t j : nodes_[i].neighbours)
      if (i < j) push(i, j);
  }
}

std::vector<SphereCluster> SphereMerging::live() const {
  std::vector<SphereCluster> clusters;
  for (const Node& node : nodes_)
    if (node.live) clusters.push_back(node.cluster);
  return clusters;
}

}  // namespace nearmiss
