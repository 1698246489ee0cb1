// SPDX-License-Identifier: MIT
/// The pose of one body in the frame of another and its matrix, four doubles at once. Compiled once
/// for each instruction set, like pair_search_loop.h.
#pragma once

#include <nearmiss/math.h>

#include "base/four_floats.h"
#include "base/lanes.h"
#include "spheres/moved_packs.h"

namespace nearmiss::NEARMISS_PATH {

/// x, y, z, w. In a struct, because calling conventions for such vectors differ by instruction set.
struct FourDoubles {
  using Lanes = double __attribute__((vector_size(32)));
  Lanes v;
};

template <int X, int Y, int Z, int W>
inline FourDoubles lanesOf(const FourDoubles& p) noexcept {
  return {__builtin_shufflevector(p.v, p.v, X, Y, Z, W)};
}
inline FourDoubles operator+(const FourDoubles& p, const FourDoubles& q) noexcept {
  return {p.v + q.v};
}
inline FourDoubles operator-(const FourDoubles& p, const FourDoubles& q) noexcept {
  return {p.v - q.v};
}
inline FourDoubles operator*(const FourDoubles& p, const FourDoubles& q) noexcept {
  return {p.v * q.v};
}
/// Flips the signs of the lanes where `signs` is -0.
inline FourDoubles turnedSigns(const FourDoubles& p, const FourDoubles& signs) noexcept {
  using Bits = std::int64_t __attribute__((vector_size(32)));
  return {reinterpret_cast<FourDoubles::Lanes>(reinterpret_cast<Bits>(p.v) ^
                                               reinterpret_cast<Bits>(signs.v))};
}
/// Returns the cross product of the first three lanes.
inline FourDoubles crossed(const FourDoubles& p, const FourDoubles& q) noexcept {
  return lanesOf<1, 2, 0, 3>(p) * lanesOf<2, 0, 1, 3>(q) -
         lanesOf<1, 2, 0, 3>(q) * lanesOf<2, 0, 1, 3>(p);
}

inline FourFloats inFloat(const FourDoubles& p) noexcept {
  return __builtin_convertvector(p.v, FourFloats);
}

/// Computes the rows of the rotation of a quaternion, in glm's order of operations.
inline void rowsOf(const FourDoubles& q, const FourDoubles& squares, float (&row)[3][4]) noexcept {
  const FourDoubles products = q * lanesOf<1, 2, 0, 3>(q);                    // xy, yz, zx
  const FourDoubles withW = lanesOf<2, 0, 1, 3>(q * lanesOf<3, 3, 3, 3>(q));  // wz, wx, wy
  const FourDoubles sum = lanesOf<1, 0, 0, 3>(squares) + lanesOf<2, 2, 1, 3>(squares);
  const FourDoubles above = products + withW, below = products - withW;
  const FourFloats diagonal = inFloat(FourDoubles{1.0 - (sum.v + sum.v)});
  const FourFloats more = inFloat(above + above), less = inFloat(below + below);
  const FourFloats mixed = __builtin_shufflevector(diagonal, less, 0, 4, 2, 5), none{};
  const FourFloats rows[3] = {
      __builtin_shufflevector(__builtin_shufflevector(mixed, more, 0, 1, 6, 6), none, 0, 1, 2, 4),
      {more[0], diagonal[1], less[1], 0.0f},
      {less[2], more[1], diagonal[2], 0.0f}};
  __builtin_memcpy(row, rows, sizeof rows);
}

void relate(const Pose& a, const Pose& b, Real reach, Pose& bToA, PackMotion& motion) {
  const Quat &p = a.rotation, &q = b.rotation;
  const FourDoubles back =
      turnedSigns(FourDoubles{{p.x, p.y, p.z, p.w}}, FourDoubles{{-0.0, -0.0, -0.0, 0.0}});
  const FourDoubles turn{{q.x, q.y, q.z, q.w}}, back3 = lanesOf<3, 3, 3, 3>(back);
  constexpr FourDoubles last{{0.0, 0.0, 0.0, -0.0}};

  // The product of quaternions, summed in glm's order
  const FourDoubles rotation =
      back3 * turn + turnedSigns(lanesOf<0, 1, 2, 0>(back), last) * lanesOf<3, 3, 3, 0>(turn) +
      turnedSigns(lanesOf<1, 2, 0, 1>(back), last) * lanesOf<2, 0, 1, 1>(turn) -
      lanesOf<2, 0, 1, 2>(back) * lanesOf<1, 2, 0, 2>(turn);
  const FourDoubles way = FourDoubles{{b.position.x, b.position.y, b.position.z, 0.0}} -
                          FourDoubles{{a.position.x, a.position.y, a.position.z, 0.0}};
  const FourDoubles once = crossed(back, way), twice = crossed(back, once);
  const FourDoubles turned = once * back3 + twice;
  const FourDoubles at = way + (turned + turned);

  bToA.position.x = at.v[0];
  bToA.position.y = at.v[1];
  bToA.position.z = at.v[2];
  bToA.rotation.x = rotation.v[0];
  bToA.rotation.y = rotation.v[1];
  bToA.rotation.z = rotation.v[2];
  bToA.rotation.w = rotation.v[3];
  const FourDoubles squares = rotation * rotation;
  rowsOf(rotation, squares, motion.rotation);
  const FourFloats position = inFloat(at);
  __builtin_memcpy(motion.position, &position, sizeof position);
  const double stretch = (squares.v[3] + squares.v[0]) + (squares.v[1] + squares.v[2]) - 1.0;
  const FourDoubles far = at * at;
  const double size = reach + rootOf(far.v[0] + far.v[1] + far.v[2]);
  motion.slack =
      static_cast<float>(size * PackMotion::sizeSlack +
                         PackMotion::stretchSlack * (stretch < 0.0 ? -stretch : stretch) * size +
                         PackMotion::minSlack);
}

}  // namespace nearmiss::NEARMISS_PATH
