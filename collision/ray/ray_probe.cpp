// SPDX-License-Identifier: MIT
#include "ray/ray_probe.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace nearmiss {
namespace {

/// Exceeds the relative rounding error of a difference, an inverse and their product in float.
constexpr float slabRounding = 0x1p-21f;
/// Minimum steepness of a ray along an axis. It rotates the ray by less than the margins.
constexpr Real minSteepness = 0x1p-40;
/// Margins beyond which float tests are inconclusive.
constexpr Real uselessMargin = 1e6;

/// Converts to float, rounded upwards. All values below -1 are equivalent: nothing is within such a
/// limit.
float upwards(Real value) noexcept {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  if (value > std::numeric_limits<float>::max()) return infinite;
  const auto rounded = static_cast<float>(std::max(value, -1.0));
  return rounded < value ? std::nextafter(rounded, infinite) : rounded;
}

FourFloats magnitudesOf(FourFloats v) noexcept { return greater(v, -v); }

}  // namespace

RayProbe::RayProbe(const LocalRay& ray, const SurfaceBoxes& surface, Real first) noexcept
    : surface_(&surface), approach_(ray, surface.boxes(), 0.0), end_(ray.end) {
  const WideBoxes& boxes = surface.boxes();
  found_.t = first;
  exact_ =
      ExactRay(ray.origin, ray.direction, approach_.near, approach_.off, approach_.reach, end_);
  const Real reach = approach_.reach / boxes.unit(), off = approach_.off / boxes.unit();
  // A start in float has an error of half of 2^-23 of it, and the slabs' planes move by the same
  // amount
  Real slack = 0x1p-22 * reach + 4.0 * off;
  Vec3 start = boxes.inUnits(approach_.near);
  if (!(slack < uselessMargin)) {
    slack = 1e30;
    start = Vec3(0.0);
  }
  for (int axis = 0; axis < 3; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    const Real steepness = ray.direction[axis];
    fromHigh_[k] = steepness < 0.0;
    const Real kept = std::max(std::abs(steepness), minSteepness);
    perUnit_[k] = static_cast<float>(1.0 / (fromHigh_[k] ? -kept : kept));
    start_[k] = static_cast<float>(start[axis]);
    const auto forth = static_cast<float>(start[axis] + slack);
    const auto back = static_cast<float>(start[axis] - slack);
    entered_[k] = fromHigh_[k] ? back : forth;
    left_[k] = fromHigh_[k] ? forth : back;
    if (std::abs(steepness) > std::abs(ray.direction[axes_[2]]))
      axes_ = {(axis + 1) % 3, (axis + 2) % 3, axis};
  }
  shearX_ = static_cast<float>(ray.direction[axes_[0]] / ray.direction[axes_[2]]);
  shearY_ = static_cast<float>(ray.direction[axes_[1]] / ray.direction[axes_[2]]);
  // Error of a sheared coordinate: twelve roundings of half of 2^-23, and the position of the start
  margin_ = slack < uselessMargin ? static_cast<float>(20.0 * 0x1p-24 * (reach + 1.0) + 4.0 * off)
                                  : 1e30f;
  setLimit();
}

/// Sets the limit to the first hit or the end. The position of a hit has its own error.
void RayProbe::setLimit() noexcept {
  const Real last = std::min(found_.t, end_);
  const Real rounding = 8.0 * std::numeric_limits<Real>::epsilon() * approach_.start + 4e-13 * last;
  limit_ = std::isfinite(last)
               ? upwards((last - approach_.start + rounding) / surface_->boxes().unit())
               : std::numeric_limits<float>::infinity();
}

Real RayProbe::timeOf(float bound) const noexcept {
  if (bound == std::numeric_limits<float>::infinity()) return std::numeric_limits<Real>::infinity();
  const Real t = approach_.start + bound * surface_->boxes().unit();
  return std::max(t - 4.0 * std::numeric_limits<Real>::epsilon() * t, 0.0);
}

unsigned RayProbe::bounds(const WideBoxes::Node& node,
                          std::array<float, WideBoxes::width>& least) const noexcept {
  unsigned beyond = 0;
  for (unsigned at = 0; at < WideBoxes::width; at += 4) {
    const auto enter = [&](std::size_t k) {
      return (fourAt((fromHigh_[k] ? node.high : node.low)[k] + at) - four(entered_[k])) *
             four(perUnit_[k]);
    };
    const auto leave = [&](std::size_t k) {
      return (fourAt((fromHigh_[k] ? node.low : node.high)[k] + at) - four(left_[k])) *
             four(perUnit_[k]);
    };
    const FourFloats first = greater(greater(enter(0), enter(1)), greater(enter(2), four(0.0f))) *
                             four(1.0f - slabRounding);
    const FourFloats last = lesser(
        lesser(lesser(leave(0), leave(1)), leave(2)) * four(1.0f + slabRounding), four(limit_));
    std::memcpy(least.data() + at, &first, sizeof first);
    beyond |= lanesLess(last, first) << at;
  }
  return ~beyond & 0xffu;
}

/// Returns a bit for each triangle that the ray's line may hit. Shears space so that the line
/// becomes an axis, and tests on which side of each edge it lies [WBW13].
unsigned RayProbe::mayMeet(const SurfaceBoxes::Facets& facets) const noexcept {
  unsigned clear = 0;
  for (unsigned at = 0; at < WideBoxes::width; at += 4) {
    FourFloats x[3], y[3];
    FourFloats size = four(2.0f * margin_);
    for (int i = 0; i < 3; ++i) {
      const auto along = [&](int k) {
        return fourAt(facets.corner[i][axes_[static_cast<std::size_t>(k)]] + at) -
               four(start_[static_cast<std::size_t>(axes_[static_cast<std::size_t>(k)])]);
      };
      const FourFloats depth = along(2);
      x[i] = along(0) - four(shearX_) * depth;
      y[i] = along(1) - four(shearY_) * depth;
      size += magnitudesOf(x[i]) + magnitudesOf(y[i]);
    }
    const FourFloats first = x[0] * y[1] - y[0] * x[1];
    const FourFloats second = x[1] * y[2] - y[1] * x[2];
    const FourFloats third = x[2] * y[0] - y[2] * x[0];
    const FourFloats error = four(margin_) * size;
    const FourFloats lowest = lesser(lesser(first, second), third);
    const FourFloats highest = greater(greater(first, second), third);
    clear |= (lanesLess(lowest, -error) & lanesLess(error, highest)) << at;
  }
  return ~clear & 0xffu;
}

bool RayProbe::visit(std::uint32_t leaf, WorkCount& work) noexcept {
  work.boundTests += WideBoxes::width;
  const unsigned lanes = mayMeet(surface_->facets(leaf));
  if (lanes == 0) return true;
  surface_->boxes().anyIn(leaf, [&](std::uint32_t triangle, unsigned lane) {
    if ((lanes >> lane & 1u) == 0) return false;
    ++work.triangleTests;
    if (const auto met = exact_.meeting(surface_->mesh().corners(triangle))) {
      found_.take(triangle, *met);
      setLimit();
    }
    return false;
  });
  return true;
}

}  // namespace nearmiss
