// SPDX-License-Identifier: MIT
/// Four floats side by side. Each lane rounds as a single float does, so that results are the same
/// on machines that compute lanes one after the other.
#pragma once

#include <nearmiss/math.h>

#include <cmath>
#include <cstddef>
#include <cstring>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

namespace nearmiss {

/// Written as numbers are: a + b, a < b ? a : b, a[i]. An extension that both gcc and clang have:
/// gcc does not vectorise plain loops with a choice in them, because of floating-point traps.
using FourFloats = float __attribute__((vector_size(16)));

[[nodiscard]] inline FourFloats four(float value) noexcept {
  return FourFloats{value, value, value, value};
}
/// Four floats of an array.
[[nodiscard]] inline FourFloats fourAt(const float* from) noexcept {
  FourFloats values;
  std::memcpy(&values, from, sizeof values);
  return values;
}
/// a < b ? a : b, the second where neither compares as less.
[[nodiscard]] inline FourFloats lesser(FourFloats a, FourFloats b) noexcept {
#ifdef __SSE__
  // The same, which gcc 12 does not find
  return _mm_min_ps(a, b);
#else
  return a < b ? a : b;
#endif
}
/// a > b ? a : b.
[[nodiscard]] inline FourFloats greater(FourFloats a, FourFloats b) noexcept {
#ifdef __SSE__
  return _mm_max_ps(a, b);
#else
  return a > b ? a : b;
#endif
}

[[nodiscard]] inline FourFloats squareRoot(FourFloats a) noexcept {
#ifdef __SSE__
  return _mm_sqrt_ps(a);
#else
  return FourFloats{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
#endif
}
/// A bit for each lane, the first lane's lowest: whether a < b there.
[[nodiscard]] inline unsigned lanesLess(FourFloats a, FourFloats b) noexcept {
#ifdef __SSE__
  return static_cast<unsigned>(_mm_movemask_ps(_mm_cmplt_ps(a, b)));
#else
  unsigned lanes = 0;
  for (unsigned i = 0; i < 4; ++i) lanes |= (a[i] < b[i] ? 1u : 0u) << i;
  return lanes;
#endif
}

/// Four vectors.
struct FourVectors {
  FourFloats x, y, z;
};

[[nodiscard]] inline FourVectors operator-(const FourVectors& a, const FourVectors& b) noexcept {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[nodiscard]] inline FourVectors operator*(FourFloats a, const FourVectors& b) noexcept {
  return {a * b.x, a * b.y, a * b.z};
}
[[nodiscard]] inline FourFloats dot(const FourVectors& a, const FourVectors& b) noexcept {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[nodiscard]] inline FourFloats square(const FourVectors& a) noexcept { return dot(a, a); }
/// Rounds a vector into a lane.
inline void put(FourVectors& vectors, std::size_t lane, const Vec3& v) noexcept {
  vectors.x[lane] = static_cast<float>(v.x);
  vectors.y[lane] = static_cast<float>(v.y);
  vectors.z[lane] = static_cast<float>(v.z);
}

}  // namespace nearmiss
