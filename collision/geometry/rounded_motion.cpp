// SPDX-License-Identifier: MIT
#include "geometry/rounded_motion.h"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

namespace nearmiss {
namespace {

/// About 60 rounding errors at the size of the bodies add up to less than half of this relative
/// tolerance.
constexpr Real roundingShare = 1e-5;
/// Coordinates are clamped to this, in units, so that sums are finite in float.
constexpr Real farthest = 1e30;

FourFloats sizeOf(FourFloats v) noexcept { return greater(v, -v); }

FourFloats roundedOf(const Vec3& v) noexcept {
  const Vec3 near = glm::clamp(v, -farthest, farthest);
  return FourFloats{static_cast<float>(near.x), static_cast<float>(near.y),
                    static_cast<float>(near.z), 0.0f};
}

FourFloats product(const FourFloats (&m)[3], FourFloats v) noexcept {
  return m[0] * four(v[0]) + m[1] * four(v[1]) + m[2] * four(v[2]);
}

/// Four boxes, as centres and half extents.
struct FourBoxes {
  FourVectors centre, half;
};

FourBoxes boxesBetween(const FourFloats (&low)[3], const FourFloats (&high)[3]) noexcept {
  const FourFloats by = four(0.5f);
  return {{by * (low[0] + high[0]), by * (low[1] + high[1]), by * (low[2] + high[2])},
          {by * (high[0] - low[0]), by * (high[1] - low[1]), by * (high[2] - low[2])}};
}

FourBoxes fourOf(const WideBoxes::Node& node, unsigned first) noexcept {
  FourFloats low[3], high[3];
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = fourAt(node.low[axis] + first);
    high[axis] = fourAt(node.high[axis] + first);
  }
  return boxesBetween(low, high);
}

FourBoxes fourOf(const SurfaceBoxes::Facets& facets, unsigned first) noexcept {
  FourFloats low[3], high[3];
  for (int axis = 0; axis < 3; ++axis) {
    const FourFloats p = fourAt(facets.corner[0][axis] + first),
                     q = fourAt(facets.corner[1][axis] + first),
                     r = fourAt(facets.corner[2][axis] + first);
    low[axis] = lesser(lesser(p, q), r);
    high[axis] = greater(greater(p, q), r);
  }
  return boxesBetween(low, high);
}

/// Returns the widest gap between boxes along their own axes; at most 0 if there is none.
FourFloats gapOf(const FourBoxes& own, const FourVectors& way,
                 const RoundedMotion::Around& other) noexcept {
  const FourFloats x = sizeOf(way.x) - (own.half.x + four(other.reach[0]));
  const FourFloats y = sizeOf(way.y) - (own.half.y + four(other.reach[1]));
  const FourFloats z = sizeOf(way.z) - (own.half.z + four(other.reach[2]));
  return greater(greater(x, y), z);
}

FourVectors wayFrom(const RoundedMotion::Around& other, const FourBoxes& own) noexcept {
  const FourFloats& from = other.centre;
  return own.centre - FourVectors{four(from[0]), four(from[1]), four(from[2])};
}

}  // namespace

RoundedMotion::RoundedMotion(const WideBoxes& a, const WideBoxes& b, const Pose& bToA, Real size,
                             Real margin) noexcept
    : boxes_{&a, &b} {
  const glm::dmat3 axes = glm::mat3_cast(bToA.rotation);
  const glm::dmat3 back = glm::transpose(axes);
  for (const Side side : {inA, inB}) {
    const WideBoxes &own = *boxes_[side], &other = *boxes_[side == inA ? inB : inA];
    const glm::dmat3& turn = side == inA ? axes : back;
    Into& into = into_[side];
    const Vec3 position = side == inA ? axes * other.middle() + bToA.position - own.middle()
                                      : back * (other.middle() - bToA.position) - own.middle();
    into.position = roundedOf(position / own.unit());
    const Real scale = std::min(other.unit() / own.unit(), farthest);
    into.scale = static_cast<float>(scale);
    const Real way = std::min(
        glm::length(glm::clamp(bToA.position / own.unit(), -farthest, farthest)), farthest);
    const Real slack = 1.001 * (roundingShare * (size / own.unit() + way) + margin / own.unit());
    into.slack = four(static_cast<float>(std::min(slack, 1e6 * farthest)));
    for (int i = 0; i < 3; ++i) {
      into.columns[i] = roundedOf(scale * turn[i]);
      into.sizes[i] = sizeOf(into.columns[i]);
    }
    // Axes of the other body
    for (int row = 0; row < 3; ++row) {
      const Vec3& axis = turn[row];
      into.rows[row] = {four(static_cast<float>(axis.x)), four(static_cast<float>(axis.y)),
                        four(static_cast<float>(axis.z))};
      into.rowSizes[row] = {sizeOf(into.rows[row].x), sizeOf(into.rows[row].y),
                            sizeOf(into.rows[row].z)};
    }
  }
}

RoundedMotion::Moved RoundedMotion::moved(Side side, std::uint32_t slot) const noexcept {
  const Into& into = into_[side];
  const WideBoxes& other = *boxes_[side == inA ? inB : inA];
  const WideBoxes::Node& node = other.node(slot / WideBoxes::width);
  const std::uint32_t lane = slot % WideBoxes::width;
  const FourFloats low{node.low[0][lane], node.low[1][lane], node.low[2][lane], 0.0f};
  const FourFloats high{node.high[0][lane], node.high[1][lane], node.high[2][lane], 0.0f};
  const FourFloats half = four(0.5f) * (high - low);
  return {{product(into.columns, four(0.5f) * (low + high)) + into.position,
           product(into.sizes, half) + into.slack},
          four(into.scale) * half + into.slack};
}

RoundedMotion::Around RoundedMotion::around(const Box& box) const noexcept {
  const WideBoxes& own = *boxes_[inA];
  return {roundedOf(own.inUnits(box.centre())),
          roundedOf(0.5 * box.extent() / own.unit()) + into_[inA].slack};
}

Real RoundedMotion::squareOf(Side side, std::uint32_t slot) const noexcept {
  const WideBoxes& boxes = *boxes_[side];
  const WideBoxes::Node& node = boxes.node(slot / WideBoxes::width);
  const std::uint32_t lane = slot % WideBoxes::width;
  Real square = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const Real extent = Real{node.high[axis][lane]} - node.low[axis][lane];
    square += extent * extent;
  }
  return square * boxes.unit() * boxes.unit();
}

template <class Boxes>
unsigned RoundedMotion::nearOf(Side side, const Boxes& boxes, const Moved& other) const noexcept {
  const Into& into = into_[side];
  unsigned apart = 0;
  for (unsigned first = 0; first < WideBoxes::width; first += 4) {
    const FourBoxes own = fourOf(boxes, first);
    const FourVectors way = wayFrom(other, own);
    // Without early exit: which axis decides is unpredictable, and a branch would cost more
    FourFloats widest = gapOf(own, way, other);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const FourFloats along = dot(into.rows[axis], way);
      const FourFloats reach = dot(into.rowSizes[axis], own.half);
      widest = greater(widest, sizeOf(along) - (four(other.half[axis]) + reach));
    }
    apart |= lanesLess(four(0.0f), widest) << first;
  }
  return ~apart & 0xffu;
}

unsigned RoundedMotion::near(Side side, const WideBoxes::Node& own,
                             const Moved& other) const noexcept {
  return nearOf(side, own, other) & ((1u << own.count) - 1u);
}

unsigned RoundedMotion::near(Side side, const SurfaceBoxes::Facets& own,
                             const Moved& other) const noexcept {
  return nearOf(side, own, other);
}

unsigned RoundedMotion::near(const SurfaceBoxes::Facets& own, const Around& other) noexcept {
  unsigned apart = 0;
  for (unsigned first = 0; first < WideBoxes::width; first += 4) {
    const FourBoxes boxes = fourOf(own, first);
    apart |= lanesLess(four(0.0f), gapOf(boxes, wayFrom(other, boxes), other)) << first;
  }
  return ~apart & 0xffu;
}

}  // namespace nearmiss
