// SPDX-License-Identifier: MIT
#include "builders/flat_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/closest_points.h"

namespace nearmiss {
namespace {

/// Number of cells along the longest side of the grid of points.
constexpr Real cellsAlong = 32.0;

bool ballHolds(const Sphere& ball, const Vec3& point) noexcept {
  const Vec3 away = point - ball.centre;
  return ball.radius >= 0.0 && glm::dot(away, away) <= ball.radius * ball.radius;
}

/// The middles of edges and faces of a cube: directions that are even enough to descend along.
constexpr std::array<std::array<int, 3>, 18> cubeDirections{{{1, 0, 0},
                                                             {-1, 0, 0},
                                                             {0, 1, 0},
                                                             {0, -1, 0},
                                                             {0, 0, 1},
                                                             {0, 0, -1},
                                                             {1, 1, 0},
                                                             {-1, -1, 0},
                                                             {1, -1, 0},
                                                             {-1, 1, 0},
                                                             {1, 0, 1},
                                                             {-1, 0, -1},
                                                             {1, 0, -1},
                                                             {-1, 0, 1},
                                                             {0, 1, 1},
                                                             {0, -1, -1},
                                                             {0, 1, -1},
                                                             {0, -1, 1}}};

}  // namespace

FlatSearch::FlatSearch(VolumeGrid grid, VolumeGrid coarse, std::vector<Vec3> points,
                       std::uint64_t seed, const std::atomic<bool>* cancelled)
    : grid_(std::move(grid)),
      coarse_(std::move(coarse)),
      points_(std::move(points)),
      grouped_(points_, 0.0),
      random_(seed),
      cancelled_(cancelled),
      holders_(points_.size(), 0) {
  regroup();
}

void FlatSearch::regroup() {
  Box bounds;
  for (const Vec3& point : points_) bounds.include(point);
  const Vec3 extent = points_.empty() ? Vec3(0.0) : bounds.extent();
  grouped_ = PointGrid(points_, std::max({extent.x, extent.y, extent.z}) / cellsAlong);
  groupedCount_ = points_.size();
}

void FlatSearch::put(std::size_t ball, const Sphere& sphere) {
  // Skip balls with invalid numbers: they would contain nothing, however much they grew
  const bool isBall = sphere.radius >= 0.0 && std::isfinite(glm::length(sphere.centre));
  balls_[ball] = isBall ? sphere : Sphere{};
  if (!isBall) return;
  cost_ += grid_.add(sphere);
  coarse_.add(sphere);
  forEachHeld(sphere, [this](std::size_t i) { ++holders_[i]; });
}

void FlatSearch::take(std::size_t ball) {
  const Sphere sphere = std::exchange(balls_[ball], Sphere{});
  if (sphere.radius < 0.0) return;
  cost_ -= grid_.remove(sphere);
  coarse_.remove(sphere);
  forEachHeld(sphere, [this](std::size_t i) {
    if (--holders_[i] == 0) open_.push_back(points_[i]);
  });
}

void FlatSearch::forEachHeld(const Sphere& ball, const auto& visit) const {
  grouped_.forEachNear(ball.centre, ball.radius, [&](std::size_t i) {
    if (ballHolds(ball, points_[i])) visit(i);
  });
  for (std::size_t i = groupedCount_; i < points_.size(); ++i)
    if (ballHolds(ball, points_[i])) visit(i);
}

std::vector<Sphere> FlatSearch::used() const {
  std::vector<Sphere> used;
  for (const Sphere& ball : balls_)
    if (ball.radius >= 0.0) used.push_back(ball);
  return used;
}

void FlatSearch::start(const std::vector<Sphere>& balls) {
  balls_.assign(balls.size(), Sphere{});
  for (std::size_t i = 0; i < balls.size(); ++i) put(i, balls[i]);
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (holders_[i] == 0) growFor(points_[i], 0.0);
}

void FlatSearch::add(const Vec3& point, Real slack) {
  points_.push_back(point);
  const auto count = std::count_if(balls_.begin(), balls_.end(),
                                   [&point](const Sphere& ball) { return ballHolds(ball, point); });
  holders_.push_back(static_cast<std::uint16_t>(count));
  // A gap may be so narrow that its point counts as contained
  growFor(point, slack);
}

/// Grows the ball whose cost is lowest afterwards.
void FlatSearch::growFor(const Vec3& point, Real slack) {
  constexpr std::size_t looked = 4;
  // More than the rounding error of distances, so that the ball contains the point
  constexpr Real minSlack = 1e-12;
  // Points that are contained except for part of the slack were grown for already
  if (std::any_of(balls_.begin(), balls_.end(), [&](const Sphere& ball) {
        return ballHolds({ball.centre, ball.radius * (1.0 - 0.5 * slack)}, point);
      }))
    return;
  std::vector<std::pair<Real, std::size_t>> near;
  for (std::size_t i = 0; i < balls_.size(); ++i)
    if (balls_[i].radius >= 0.0)
      near.emplace_back(glm::distance(balls_[i].centre, point) - balls_[i].radius, i);
  const std::size_t count = std::min(looked, near.size());
  std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end());
  // Without any ball, start one at the point
  Sphere best{point, 0.0};
  std::size_t grown = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::size_t n = 0; n < count; ++n) {
    Sphere ball = balls_[near[n].second];
    ball.radius = std::max(ball.radius, glm::distance(ball.centre, point)) *
                  (1.0 + std::max(slack, minSlack));
    const std::int64_t cells = grid_.free(ball);
    if (cells >= least) continue;
    least = cells;
    best = ball;
    grown = near[n].second;
  }
  take(grown);
  put(grown, best);
}

/// Points in descending order of their distance from a centre, to find the farthest one from
/// centres nearby without looking at all of them.
class FarthestFirst {
 public:
  /// @param points  reordered
  FarthestFirst(std::vector<Vec3>& points, const Vec3& centre) : centre_(centre) {
    distances_.reserve(points.size());
    for (const Vec3& p : points) distances_.emplace_back(glm::distance(p, centre), p);
    std::sort(distances_.begin(), distances_.end(),
              [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = distances_[i].second;
  }

  /// As ballAbout(centre, points).
  [[nodiscard]] Sphere about(const Vec3& centre) const noexcept {
    const Real moved = glm::distance(centre, centre_);
    Real most = 0.0;
    for (const auto& [distance, point] : distances_) {
      // By the triangle inequality, no later point is farther
      const Real limit = (distance + moved) * (1.0 + 1e-9);
      if (limit * limit < most) break;
      most = std::max(most, squaredDistance(point, centre));
    }
    return {centre, std::sqrt(most) * (1.0 + roundingUp)};
  }

 private:
  Vec3 centre_;
  std::vector<std::pair<Real, Vec3>> distances_;
};

/// Moves the centre of a ball that must contain the open points, as long as its cost in the grid
/// decreases.
/// @param step, finest  first and last step, relative to the radius
Sphere FlatSearch::descend(const VolumeGrid& grid, Sphere ball, Real step, Real finest) {
  std::int64_t least =
      grid.holds(ball) ? grid.free(ball) : std::numeric_limits<std::int64_t>::max();
  while (step > finest) {
    const FarthestFirst farthest(open_, ball.centre);
    bool moved = false;
    for (const auto& [x, y, z] : cubeDirections) {
      const Sphere next = farthest.about(ball.centre + step * ball.radius * Vec3(x, y, z));
      if (!grid.holds(next)) continue;
      const std::int64_t cells = grid.free(next, least);
      if (cells > least || (cells == least && next.radius >= ball.radius)) continue;
      least = cells;
      ball = next;
      moved = true;
    }
    if (!moved) step *= 0.5;
  }
  return ball;
}

/// Returns true if the cost of a ball decreased.
bool FlatSearch::refit(std::size_t index) {
  const Sphere old = balls_[index];
  if (old.radius < 0.0) return false;
  const std::int64_t before = cost_;
  open_.clear();
  take(index);
  // If other balls contain all its points, the ball is not needed
  if (open_.empty()) return true;
  Sphere best = old;
  const std::int64_t least = grid_.free(old);
  Sphere from = ballAbout(old.centre, open_);
  if (const Sphere smallest = ballOf(open_); grid_.free(smallest) < grid_.free(from))
    from = smallest;
  const Sphere found = descend(grid_, descend(coarse_, from, 0.2, 0.04), 0.03, 0.01);
  const std::int64_t cells = grid_.free(found);
  if (grid_.holds(found) && (cells < least || (cells == least && found.radius < best.radius)))
    best = found;
  put(index, best);
  return cost_ < before;
}

void FlatSearch::resize(std::size_t place, Real radius) {
  const Sphere resized{balls_[place].centre, radius};
  take(place);
  put(place, resized);
}

void FlatSearch::replaceAll(const Sphere& ball) {
  for (std::size_t place = 0; place < balls_.size(); ++place) take(place);
  put(0, ball);
}

std::size_t FlatSearch::nearestPlace(const Vec3& point) const noexcept {
  std::size_t nearest = 0;
  Real least = std::numeric_limits<Real>::infinity();
  for (std::size_t i = 0; i < balls_.size(); ++i) {
    if (balls_[i].radius < 0.0) continue;
    const Real away = std::abs(glm::distance(balls_[i].centre, point) - balls_[i].radius);
    if (away >= least) continue;
    least = away;
    nearest = i;
  }
  return nearest;
}

void FlatSearch::settle(int rounds) {
  if (groupedCount_ < points_.size()) regroup();
  Indices order(balls_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (int round = 0; round < rounds && !cancelled(); ++round) {
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[random_.bits() % i]);
    const std::int64_t before = cost_;
    for (const std::size_t ball : order) {
      if (cancelled()) return;
      refit(ball);
    }
    if (static_cast<Real>(before - cost_) < 0.001 * static_cast<Real>(before)) return;
  }
}

/// Returns the balls nearest to a ball, itself first.
FlatSearch::Indices FlatSearch::neighboursOf(std::size_t ball, std::size_t count) const {
  std::vector<std::pair<Real, std::size_t>> near;
  for (std::size_t i = 0; i < balls_.size(); ++i)
    near.emplace_back(i == ball ? -std::numeric_limits<Real>::infinity()
                      : balls_[i].radius < 0.0
                          ? std::numeric_limits<Real>::infinity()
                          : glm::distance(balls_[i].centre, balls_[ball].centre) - balls_[i].radius,
                      i);
  count = std::min(count, near.size());
  std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end());
  Indices indices;
  for (std::size_t n = 0; n < count; ++n) indices.push_back(near[n].second);
  return indices;
}

/// Replaces balls by at most `count` new ones for the points that only they contain.
/// @param before  the cost that a useful move must not exceed
/// @pre `places` has as many entries as may be filled
void FlatSearch::replace(const Indices& places, std::size_t count, std::int64_t before) {
  open_.clear();
  for (const std::size_t place : places) take(place);
  if (open_.empty()) return;
  const std::vector<Sphere> fresh = clusterBalls(open_, count, random_);
  for (std::size_t k = 0; k < fresh.size(); ++k) put(places[k], fresh[k]);
  for (int round = 0; round < 2; ++round) {
    for (const std::size_t place : places) refit(place);
    // A second round gains little. Most moves are given up here
    if (cost_ > before) return;
  }
}

/// Returns, of a few random balls, the one that costs most or least.
std::size_t FlatSearch::pick(bool wasteful) {
  constexpr int drawn = 4;
  std::size_t best = 0;
  std::int64_t bestCells = 0;
  for (int n = 0; n < drawn; ++n) {
    const std::size_t ball = random_.bits() % balls_.size();
    const std::int64_t cells = balls_[ball].radius < 0.0 ? 0 : grid_.own(balls_[ball]);
    if (n > 0 && (wasteful ? cells <= bestCells : cells >= bestCells)) continue;
    best = ball;
    bestCells = cells;
  }
  return best;
}

/// Returns the first place without a ball, or the number of places.
std::size_t FlatSearch::emptyPlace() const noexcept {
  const auto at = std::find_if(balls_.begin(), balls_.end(),
                               [](const Sphere& ball) { return ball.radius < 0.0; });
  return static_cast<std::size_t>(at - balls_.begin());
}

void FlatSearch::exchange(std::size_t moves) {
  constexpr std::size_t most = 5;
  for (std::size_t move = 0; move < moves && balls_.size() > 1 && !cancelled(); ++move) {
    Indices changed;
    std::vector<Sphere> old;
    const auto keep = [&](const Indices& places) {
      for (const std::size_t place : places)
        if (std::find(changed.begin(), changed.end(), place) == changed.end()) {
          changed.push_back(place);
          old.push_back(balls_[place]);
        }
    };
    const std::int64_t before = cost_;
    if (move % 2 == 0) {
      const Indices places = neighboursOf(pick(true), 2 + random_.bits() % (most - 1));
      keep(places);
      replace(places, places.size(), before);
    } else {
      // Remove the ball that is missed least, and add one where the most volume is wasted
      std::size_t spare = emptyPlace();
      if (spare == balls_.size()) {
        const Indices poor = neighboursOf(pick(false), 3);
        keep(poor);
        replace(poor, poor.size() - 1, std::numeric_limits<std::int64_t>::max());
        spare = emptyPlace();
      }
      Indices rich = neighboursOf(pick(true), 2);
      if (spare < balls_.size() && std::find(rich.begin(), rich.end(), spare) == rich.end())
        rich.push_back(spare);
      keep(rich);
      replace(rich, rich.size(), before);
    }
    if (cost_ <= before) continue;
    for (const std::size_t place : changed) take(place);
    for (std::size_t n = 0; n < changed.size(); ++n) put(changed[n], old[n]);
  }
}

}  // namespace nearmiss
