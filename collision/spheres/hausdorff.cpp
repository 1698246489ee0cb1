// SPDX-License-Identifier: MIT
#include "spheres/hausdorff.h"

#include <nearmiss/detail/cancellation.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "base/parallel_for.h"
#include "geometry/closest_points.h"
#include "spheres/sphere_packing.h"

namespace nearmiss {
namespace {

/// Covers the rounding errors of a few operations on lengths, with a margin.
constexpr Real roundUp = 1.0 + 1e-12;

/// Shrinks `box` to the part that can contain points of `ball`. Returns false if there is none.
bool clipToBall(const Sphere& ball, Box& box) noexcept {
  const Real square = ball.radius * ball.radius * roundUp;
  for (int axis = 0; axis < 3; ++axis) {
    Real left = square;
    for (int other = 0; other < 3; ++other) {
      if (other == axis) continue;
      const Real c = ball.centre[other];
      const Real gap = std::max({box.low[other] - c, c - box.high[other], 0.0});
      left -= gap * gap;
    }
    if (left < 0.0) return false;
    const Real half = std::sqrt(left) * roundUp;
    box.low[axis] = std::max(box.low[axis], ball.centre[axis] - half);
    box.high[axis] = std::min(box.high[axis], ball.centre[axis] + half);
    if (box.low[axis] > box.high[axis]) return false;
  }
  return true;
}

/// Returns an upper bound of |x - p| over the points x of `ball` in `box`: the lesser of two
/// bounds.
/// The first is the farthest corner of the box. The second is, with c and r of the ball,
/// |x - p|^2 = |x - c|^2 + 2 (x - c).(c - p) + |c - p|^2 <= r^2 + 2 max (x - c).(c - p) + |c -
/// p|^2.
/// The second handles corners of boxes on the rim that protrude from the ball.
Real farthestFrom(const Vec3& p, const Sphere& ball, const Box& box) noexcept {
  Real corner = 0.0;
  Real along = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const Real low = box.low[axis];
    const Real high = box.high[axis];
    const Real reach = std::max(std::abs(low - p[axis]), std::abs(high - p[axis]));
    corner += reach * reach;
    const Real w = ball.centre[axis] - p[axis];
    along += std::max((low - ball.centre[axis]) * w, (high - ball.centre[axis]) * w);
  }
  const Real d = glm::distance(ball.centre, p);
  const Real r = ball.radius;
  const Real rim = r * r + d * d + 2.0 * std::min(along, r * d);
  return std::sqrt(std::max(0.0, std::min(corner, rim))) * roundUp;
}

/// Returns the point of the ball that represents the box: its middle, moved to the ball if it lies
/// outside.
Vec3 middleWithin(const Sphere& ball, const Box& box) noexcept {
  const Vec3 from = box.centre() - ball.centre;
  const Real distance = glm::length(from);
  if (distance <= ball.radius) return box.centre();
  return ball.centre + from * (ball.radius / (distance * roundUp));
}

}  // namespace

/// Returns the nearest point of the surface, or any point that is nearer than `enough`.
SurfacePoint FarthestPointSearch::nearest(const Vec3& point, Real enough,
                                          std::uint32_t& witness) const {
  if (!field_) return polyhedron_->nearest(point, enough);
  (void)field_->distance(point, witness, static_cast<float>(enough));
  SurfacePoint found;
  found.triangle = field_->triangleOf(witness);
  found.position = closestOnTriangle(point, polyhedron_->mesh().corners(found.triangle));
  found.distance = glm::distance(found.position, point);
  return found;
}

DistanceRange FarthestPointSearch::search(const Sphere& ball, Real tolerance, Real enough,
                                          std::size_t maxQueries) {
  open_.clear();
  range_ = {};
  discarded_ = 0.0;
  queries_ = 0;
  Cell whole;
  whole.box = {ball.centre - ball.radius, ball.centre + ball.radius};
  // The middle of the ball bounds all points at once: none is farther than its distance + r
  const SurfacePoint middle = nearest(ball.centre, 0.0, whole.witness);
  whole.allCounts = part_ == BallPart::Whole;
  whole.atMost = (middle.distance + ball.radius) * roundUp;
  whole.near = middle.position;
  if (whole.allCounts || heedSide(ball, ball.centre, whole)) range_.atLeast = middle.distance;
  if (maxQueries > 0) lookAtRim(ball, whole);
  open_.add(whole);

  // Split the cell that could contain the farthest point, until its bound is within the tolerance
  const auto settled = [&] {
    return open_.first().atMost <= std::max(range_.atLeast + tolerance, enough);
  };
  while (!open_.empty() && !settled() && queries_ < maxQueries) {
    const Cell cell = open_.takeFirst();
    const Vec3 half = cell.box.centre();
    for (int octant = 0; octant < 8; ++octant) {
      Cell part = cell;
      for (int axis = 0; axis < 3; ++axis)
        (octant >> axis & 1 ? part.box.low : part.box.high)[axis] = half[axis];
      if (clipToBall(ball, part.box)) look(ball, part, tolerance, enough);
    }
  }
  range_.atMost = std::max(discarded_, open_.empty() ? 0.0 : open_.first().atMost);
  range_.atMost = std::max(range_.atMost, range_.atLeast);
  return range_;
}

/// The farthest point often lies beyond the surface point nearest to the centre, or opposite to it.
void FarthestPointSearch::lookAtRim(const Sphere& ball, const Cell& whole) {
  const Vec3 towards = whole.near - ball.centre;
  const Real length = glm::length(towards);
  if (!(length > 0.0)) return;
  for (const Real way : {1.0, -1.0}) {
    const Vec3 rim = ball.centre + way * ball.radius / (length * roundUp) * towards;
    std::uint32_t witness = whole.witness;
    const Real distance = nearest(rim, range_.atLeast, witness).distance;
    if (distance > range_.atLeast && counts(rim)) range_.atLeast = distance;
  }
}

/// Returns whether `point` counts, and updates its cell. If the point lies inside the solid at
/// depth d, a straight line to any point outside crosses the surface after at least d, so the rest
/// of the line bounds the distance. The depth is not taken from the field, which may miss a
/// triangle.
bool FarthestPointSearch::heedSide(const Sphere& ball, const Vec3& point, Cell& cell) const {
  const Real reach = farthestFrom(point, ball, cell.box);
  const Real rounding = depthRounding * glm::length(polyhedron_->bounds().extent());
  const SurfacePoint nearest =
      field_ ? polyhedron_->nearestFrom(point, field_->triangleOf(cell.witness))
             : polyhedron_->nearest(point);
  const Real depth = nearest.distance - rounding;
  if (counts(point)) {
    // A cell without surface in it lies on one side
    cell.allCounts = depth > reach;
    return true;
  }
  cell.atMost = std::min(cell.atMost, std::max(0.0, reach - depth));
  return false;
}

void FarthestPointSearch::look(const Sphere& ball, Cell cell, Real tolerance, Real enough) {
  // Any surface point this near proves that the cell does not matter. So the nearest point is not
  // needed, and no search at all if the parent's surface point is near enough
  const Real matters = std::max(range_.atLeast + tolerance, enough);
  cell.atMost = std::min(cell.atMost, farthestFrom(cell.near, ball, cell.box));
  if (cell.atMost <= matters) {
    discarded_ = std::max(discarded_, cell.atMost);
    return;
  }
  const Vec3 point = middleWithin(ball, cell.box);
  const Real idle = matters - glm::length(cell.box.extent());
  const SurfacePoint found = nearest(point, std::max(idle, 0.0), cell.witness);
  cell.atMost = std::min(cell.atMost, farthestFrom(found.position, ball, cell.box));
  cell.near = found.position;
  cell.sequence = ++queries_;
  const bool pointCounts = cell.allCounts || (cell.atMost > matters && heedSide(ball, point, cell));
  if (pointCounts && found.distance > std::max(idle, range_.atLeast))
    range_.atLeast = found.distance;
  // Drop a cell that cannot matter any more, but keep its bound
  if (cell.atMost <= std::max(range_.atLeast + tolerance, enough)) {
    discarded_ = std::max(discarded_, cell.atMost);
    return;
  }
  open_.add(cell);
}

namespace {

/// Returns the direction of a point on a face of the cube.
Vec3 directionOf(int face, Real u, Real v) noexcept {
  Vec3 direction(0.0);
  const int axis = face / 2;
  direction[axis] = face % 2 == 0 ? -1.0 : 1.0;
  direction[(axis + 1) % 3] = u;
  direction[(axis + 2) % 3] = v;
  return glm::normalize(direction);
}

/// Returns an upper bound of |x - p| over the cap of `sphere` about `axis` with half angle
/// acos(cosine): with a and r of the sphere, |x - p|^2 = r^2 + 2 (x - a).(a - p) + |a - p|^2. The
/// middle term is greatest where the cap comes nearest to the direction of a - p.
Real farthestFrom(const Vec3& p, const Sphere& sphere, const Vec3& axis, Real cosine) noexcept {
  const Vec3 away = sphere.centre - p;
  const Real d = glm::length(away);
  const Real r = sphere.radius;
  Real along = d;
  const Real c = glm::dot(axis, away);
  if (c < cosine * d) {
    const Real sine = std::sqrt(std::max(0.0, 1.0 - cosine * cosine));
    along = c * cosine + std::sqrt(std::max(0.0, d * d - c * c)) * sine;
  }
  const Real square = r * r + d * d + 2.0 * r * along;
  return std::sqrt(std::max(0.0, square) + 1e-14 * (r * r + d * d)) * roundUp;
}

}  // namespace

DistanceRange SphereSurfaceSearch::search(const Sphere& sphere, Real tolerance, bool outsideOnly,
                                          std::size_t maxQueries) {
  open_.clear();
  range_ = {};
  queries_ = 0;
  for (int face = 0; face < 6; ++face) {
    Patch whole;
    whole.face = face;
    look(sphere, whole, outsideOnly);
  }

  // Quarter the patch that could contain the farthest point, until its bound is within the
  // tolerance
  while (open_.first().atMost > range_.atLeast + tolerance && queries_ < maxQueries) {
    const Patch patch = open_.takeFirst();
    const Real u = 0.5 * (patch.u0 + patch.u1);
    const Real v = 0.5 * (patch.v0 + patch.v1);
    for (int quarter = 0; quarter < 4; ++quarter) {
      Patch part = patch;
      (quarter & 1 ? part.u0 : part.u1) = u;
      (quarter & 2 ? part.v0 : part.v1) = v;
      look(sphere, part, outsideOnly);
    }
  }
  range_.atMost = std::max(open_.first().atMost, range_.atLeast);
  return range_;
}

void SphereSurfaceSearch::look(const Sphere& sphere, Patch patch, bool outsideOnly) {
  const Vec3 axis =
      directionOf(patch.face, 0.5 * (patch.u0 + patch.u1), 0.5 * (patch.v0 + patch.v1));
  // The edges of a patch are great circles, so it is convex and a corner is farthest from its axis
  Real cosine = 1.0;
  for (const Real u : {patch.u0, patch.u1})
    for (const Real v : {patch.v0, patch.v1})
      cosine = std::min(cosine, glm::dot(axis, directionOf(patch.face, u, v)));
  cosine -= 1e-15;
  const Vec3 point = sphere.centre + sphere.radius * axis;
  const SurfacePoint nearest = polyhedron_->nearest(point);
  ++queries_;

  Real atMost = farthestFrom(nearest.position, sphere, axis, cosine);
  if (outsideOnly && polyhedron_->contains(point)) {
    // A way out of the solid has to cross its surface, which is at least at the distance found
    const Real reach = sphere.radius * std::sqrt(std::max(0.0, 2.0 - 2.0 * cosine)) * roundUp;
    atMost = std::max(0.0, reach - nearest.distance / roundUp);
  } else {
    range_.atLeast = std::max(range_.atLeast, nearest.distance);
  }
  // A part lies within the whole patch
  patch.atMost = patch.sequence == 0 ? atMost : std::min(patch.atMost, atMost);
  patch.sequence = queries_;
  open_.add(patch);
}

namespace {

/// The tolerance of Ho, relative to that of H: for a thick solid, Ho is a small part of H.
constexpr Real outsidePrecision = 0.25;

/// Maximum number of queries per sphere if there is no limit per level.
constexpr std::size_t mostQueries = 20000;

/// Returns, by pack, the number of queries for each sphere.
std::vector<std::size_t> queriesPerPack(const SphereTree::Data& data, std::size_t eachLevel) {
  std::vector<std::size_t> queries(data.packs.size(), mostQueries);
  if (eachLevel == 0) return queries;
  for (std::size_t level = 0; level + 1 < data.levelBegin.size(); ++level) {
    const std::size_t begin = data.levelBegin[level], end = data.levelBegin[level + 1];
    std::size_t spheres = 0;
    for (std::size_t pack = begin; pack < end; ++pack)
      for (const float r : data.packs[pack].r) spheres += r >= 0.0f;
    const std::size_t each = eachLevel / std::max<std::size_t>(1, spheres);
    // Fewer queries than the first division needs gain nothing compared with the middle alone
    std::fill(queries.begin() + static_cast<std::ptrdiff_t>(begin),
              queries.begin() + static_cast<std::ptrdiff_t>(end),
              each <= 8 ? 0 : std::min(each, mostQueries));
  }
  return queries;
}

/// Calls put(id, distance) once for every sphere. The distance is rounded up, and at most
/// `tolerance` radii above the true one. Returns false if cancelled.
bool measureSpheres(const FarthestPointSearch& search, Real tolerance,
                    const SphereTreeSettings& settings, const SphereTree::Data& data,
                    BuildProgress* progress, const auto& put) {
  if (progress) progress->enter(BuildStage::Hausdorff);
  const int workers = std::max(1, settings.workers);
  const std::vector<std::size_t> queries = queriesPerPack(data, settings.hausdorffQueries);
  std::vector<FarthestPointSearch> searches(static_cast<std::size_t>(workers), search);
  std::atomic<std::size_t> done{0};
  parallelFor(data.packs.size(), workers, [&](std::size_t pack, int worker) {
    const SpherePack& p = data.packs[pack];
    for (int lane = 0; lane < SpherePack::width && p.r[lane] >= 0.0f; ++lane) {
      if (wasCancelled(progress)) return;
      const SphereId id =
          static_cast<SphereId>(pack * SpherePack::width) + static_cast<SphereId>(lane);
      if (!data.identity.empty() && data.identity[id] != id) continue;
      const Sphere ball{Vec3(p.x[lane], p.y[lane], p.z[lane]), p.r[lane]};
      const DistanceRange range = searches[static_cast<std::size_t>(worker)].search(
          ball, tolerance * ball.radius, 0.0, queries[pack]);
      put(id, floatAtLeast(range.atMost));
    }
    if (progress) progress->advance(++done, data.packs.size());
  });
  return !progress || !progress->cancelled;
}

}  // namespace

bool measureHausdorff(const Polyhedron& polyhedron, const DistanceField& field,
                      const SphereTreeSettings& settings, SphereTree::Data& data,
                      BuildProgress* progress) {
  const auto hOf = [&data](SphereId id) -> float& {
    return data.links[id / SpherePack::width].hausdorff[id % SpherePack::width];
  };
  if (!measureSpheres(FarthestPointSearch(polyhedron, &field), settings.hausdorffTolerance,
                      settings, data, progress, [&hOf](SphereId id, float h) { hOf(id) = h; }))
    return false;
  for (SphereId id = 0; id < data.identity.size(); ++id) hOf(id) = hOf(data.identity[id]);
  return true;
}

namespace {

/// Computes Ho without a search: the way from a centre at depth d to a point outside crosses the
/// surface after at least d. For centres that are not inside, uses H.
void tellOutside(const Polyhedron& polyhedron, SphereTree::Data& data) {
  const SolidCells& cells = SolidCells::of(polyhedron);
  const Real rounding = depthRounding * glm::length(polyhedron.bounds().extent());
  for (std::size_t id = 0; id < data.outside.size(); ++id) {
    const SpherePack& pack = data.packs[id / SpherePack::width];
    const std::size_t lane = id % SpherePack::width;
    if (pack.r[lane] < 0.0f) continue;
    const float h = data.links[id / SpherePack::width].hausdorff[lane];
    data.outside[id] = h;
    const Vec3 middle(pack.x[lane], pack.y[lane], pack.z[lane]);
    if (cells.sideOf(middle) != SolidCells::Side::Inside) continue;
    const Real beyond = pack.r[lane] * roundUp - (polyhedron.nearest(middle).distance - rounding);
    data.outside[id] = std::min(h, floatAtLeast(std::max(0.0, beyond)));
  }
}

}  // namespace

bool measureOutside(const Polyhedron& polyhedron, const SphereTreeSettings& settings,
                    SphereTree::Data& data, BuildProgress* progress) {
  data.outside.clear();
  if (!polyhedron.report().solid()) return true;
  data.outside.resize(data.packs.size() * SpherePack::width, 0.0f);
  if (settings.hausdorffQueries != 0) {
    tellOutside(polyhedron, data);
    return !wasCancelled(progress);
  }
  const DistanceField field(polyhedron.mesh());
  if (!measureSpheres(FarthestPointSearch(polyhedron, &field, BallPart::Outside),
                      outsidePrecision * settings.hausdorffTolerance, settings, data, progress,
                      [&data](SphereId id, float ho) {
                        const auto& links = data.links[id / SpherePack::width];
                        data.outside[id] = std::min(ho, links.hausdorff[id % SpherePack::width]);
                      }))
    return false;
  for (SphereId id = 0; id < data.identity.size(); ++id)
    data.outside[id] = data.outside[data.identity[id]];
  return true;
}

}  // namespace nearmiss
