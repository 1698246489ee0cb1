// SPDX-License-Identifier: MIT
/// Four floats in a SIMD register. Each lane rounds like a single float, so that results are the
/// same on machines that compute lanes one after the other.
#pragma once

#include <nearmiss/math.h>

#include <cmath>
#include <cstddef>
#include <cstring>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

namespace nearmiss {

/// Supports operators like a number: a + b, a < b ? a : b, a[i]. Uses an extension of both gcc and
/// clang, because gcc does not vectorise plain loops that contain a choice, due to floating-point
/// traps.
using FourFloats = float __attribute__((vector_size(16)));

[[nodiscard]] inline FourFloats four(float value) noexcept {
  return FourFloats{value, value, value, value};
}
/// Loads four floats from an array.
[[nodiscard]] inline FourFloats fourAt(const float* from) noexcept {
  FourFloats values;
  std::memcpy(&values, from, sizeof values);
  return values;
}
/// Returns a < b ? a : b, so the second if the comparison is false.
[[nodiscard]] inline FourFloats lesser(FourFloats a, FourFloats b) noexcept {
#ifdef __SSE__
  // An equivalent instruction that gcc 12 does not generate
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
/// Returns a bit mask, lowest bit for the first lane: whether a < b in the lane.
[[nodiscard]] inline unsigned lanesLess(FourFloats a, FourFloats b) noexcept {
#ifdef __SSE__
  return static_cast<unsigned>(_mm_movemask_ps(_mm_cmplt_ps(a, b)));
#else
  unsigned lanes = 0;
  for (unsigned i = 0; i < 4; ++i) lanes |= (a[i] < b[i] ? 1u : 0u) << i;
  return lanes;
#endif
}

/// Four vectors, one per lane.
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
