// SPDX-License-Identifier: MIT
/// Eight floats at once, with the instruction set for which the including source is compiled. All
/// variants perform the same IEEE operations in the same order, so results are equal to the bit.
#pragma once

#include <cstdint>

#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#include <cmath>
#else
#include <cmath>
#endif

namespace nearmiss::NEARMISS_PATH {

#if defined(__AVX__)

struct Lanes {
  __m256 v;
  static Lanes load(const float* from) noexcept { return {_mm256_loadu_ps(from)}; }
  static Lanes all(float value) noexcept { return {_mm256_set1_ps(value)}; }
  void store(float* to) const noexcept { _mm256_storeu_ps(to, v); }
  friend Lanes operator+(Lanes p, Lanes q) noexcept { return {_mm256_add_ps(p.v, q.v)}; }
  friend Lanes operator-(Lanes p, Lanes q) noexcept { return {_mm256_sub_ps(p.v, q.v)}; }
  friend Lanes operator*(Lanes p, Lanes q) noexcept { return {_mm256_mul_ps(p.v, q.v)}; }
  friend Lanes root(Lanes p) noexcept { return {_mm256_sqrt_ps(p.v)}; }
  friend Lanes smaller(Lanes p, Lanes q) noexcept { return {_mm256_min_ps(p.v, q.v)}; }
  friend Lanes larger(Lanes p, Lanes q) noexcept { return {_mm256_max_ps(p.v, q.v)}; }
  /// Returns bit k if lane k of p is at most that of q; false for NaN.
  friend std::uint32_t atMost(Lanes p, Lanes q) noexcept { return where<_CMP_LE_OQ>(p, q); }
  /// Returns bit k if lane k of p is less than that of q; false for NaN.
  friend std::uint32_t lessThan(Lanes p, Lanes q) noexcept { return where<_CMP_LT_OQ>(p, q); }
  /// Returns bit k if the sign of lane k is clear.
  friend std::uint32_t unsignedLanes(Lanes p) noexcept {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(p.v)) ^ 0xff;
  }
  /// Returns the lane with the largest value, the first in a tie.
  friend std::uint32_t largestLane(Lanes p) noexcept {
    const __m256 halves = _mm256_max_ps(p.v, _mm256_permute2f128_ps(p.v, p.v, 1));
    const __m256 pairs = _mm256_max_ps(halves, _mm256_permute_ps(halves, 0x4e));
    const __m256 most = _mm256_max_ps(pairs, _mm256_permute_ps(pairs, 0xb1));
    return static_cast<std::uint32_t>(__builtin_ctz(where<_CMP_EQ_OQ>(p, {most})));
  }

 private:
  template <int Comparison>
  static std::uint32_t where(Lanes p, Lanes q) noexcept {
#if defined(__AVX512VL__)
    return _mm256_cmp_ps_mask(p.v, q.v, Comparison);
#else
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(p.v, q.v, Comparison)));
#endif
  }
};

#elif defined(__SSE2__)

struct Lanes {
  __m128 v, w;
  static Lanes load(const float* from) noexcept {
    return {_mm_loadu_ps(from), _mm_loadu_ps(from + 4)};
  }
  static Lanes all(float value) noexcept {
    const __m128 each = _mm_set1_ps(value);
    return {each, each};
  }
  void store(float* to) const noexcept {
    _mm_storeu_ps(to, v);
    _mm_storeu_ps(to + 4, w);
  }
  friend Lanes operator+(Lanes p, Lanes q) noexcept {
    return {_mm_add_ps(p.v, q.v), _mm_add_ps(p.w, q.w)};
  }
  friend Lanes operator-(Lanes p, Lanes q) noexcept {
    return {_mm_sub_ps(p.v, q.v), _mm_sub_ps(p.w, q.w)};
  }
  friend Lanes operator*(Lanes p, Lanes q) noexcept {
    return {_mm_mul_ps(p.v, q.v), _mm_mul_ps(p.w, q.w)};
  }
  friend Lanes root(Lanes p) noexcept { return {_mm_sqrt_ps(p.v), _mm_sqrt_ps(p.w)}; }
  friend Lanes smaller(Lanes p, Lanes q) noexcept {
    return {_mm_min_ps(p.v, q.v), _mm_min_ps(p.w, q.w)};
  }
  friend Lanes larger(Lanes p, Lanes q) noexcept {
    return {_mm_max_ps(p.v, q.v), _mm_max_ps(p.w, q.w)};
  }
  friend std::uint32_t atMost(Lanes p, Lanes q) noexcept {
    return static_cast<std::uint32_t>(_mm_movemask_ps(_mm_cmple_ps(p.v, q.v)) |
                                      _mm_movemask_ps(_mm_cmple_ps(p.w, q.w)) << 4);
  }
  friend std::uint32_t lessThan(Lanes p, Lanes q) noexcept {
    return static_cast<std::uint32_t>(_mm_movemask_ps(_mm_cmplt_ps(p.v, q.v)) |
                                      _mm_movemask_ps(_mm_cmplt_ps(p.w, q.w)) << 4);
  }
  friend std::uint32_t unsignedLanes(Lanes p) noexcept {
    return static_cast<std::uint32_t>(_mm_movemask_ps(p.v) | _mm_movemask_ps(p.w) << 4) ^ 0xff;
  }
  friend std::uint32_t largestLane(Lanes p) noexcept {
    const __m128 halves = _mm_max_ps(p.v, p.w);
    const __m128 pairs = _mm_max_ps(halves, _mm_shuffle_ps(halves, halves, 0x4e));
    const __m128 most = _mm_max_ps(pairs, _mm_shuffle_ps(pairs, pairs, 0xb1));
    return static_cast<std::uint32_t>(__builtin_ctz(static_cast<unsigned>(
        _mm_movemask_ps(_mm_cmpeq_ps(p.v, most)) | _mm_movemask_ps(_mm_cmpeq_ps(p.w, most)) << 4)));
  }
};

#elif defined(__wasm_simd128__)

struct Lanes {
  v128_t v, w;
  static Lanes load(const float* from) noexcept {
    return {wasm_v128_load(from), wasm_v128_load(from + 4)};
  }
  static Lanes all(float value) noexcept {
    const v128_t each = wasm_f32x4_splat(value);
    return {each, each};
  }
  void store(float* to) const noexcept {
    wasm_v128_store(to, v);
    wasm_v128_store(to + 4, w);
  }
  friend Lanes operator+(Lanes p, Lanes q) noexcept {
    return {wasm_f32x4_add(p.v, q.v), wasm_f32x4_add(p.w, q.w)};
  }
  friend Lanes operator-(Lanes p, Lanes q) noexcept {
    return {wasm_f32x4_sub(p.v, q.v), wasm_f32x4_sub(p.w, q.w)};
  }
  friend Lanes operator*(Lanes p, Lanes q) noexcept {
    return {wasm_f32x4_mul(p.v, q.v), wasm_f32x4_mul(p.w, q.w)};
  }
  friend Lanes root(Lanes p) noexcept { return {wasm_f32x4_sqrt(p.v), wasm_f32x4_sqrt(p.w)}; }
  /// wasm_f32x4_pmin(a, b) is b < a ? b : a. With this order of arguments it equals SSE's minimum,
  /// also for zeros of different sign and for NaN.
  friend Lanes smaller(Lanes p, Lanes q) noexcept {
    return {wasm_f32x4_pmin(q.v, p.v), wasm_f32x4_pmin(q.w, p.w)};
  }
  friend Lanes larger(Lanes p, Lanes q) noexcept {
    return {wasm_f32x4_pmax(q.v, p.v), wasm_f32x4_pmax(q.w, p.w)};
  }
  friend std::uint32_t atMost(Lanes p, Lanes q) noexcept {
    return bits(wasm_f32x4_le(p.v, q.v), wasm_f32x4_le(p.w, q.w));
  }
  friend std::uint32_t lessThan(Lanes p, Lanes q) noexcept {
    return bits(wasm_f32x4_lt(p.v, q.v), wasm_f32x4_lt(p.w, q.w));
  }
  friend std::uint32_t unsignedLanes(Lanes p) noexcept { return bits(p.v, p.w) ^ 0xff; }
  friend std::uint32_t largestLane(Lanes p) noexcept {
    const v128_t halves = wasm_f32x4_pmax(p.w, p.v);
    const v128_t pairs = wasm_f32x4_pmax(halves, wasm_i32x4_shuffle(halves, halves, 2, 3, 0, 1));
    const v128_t most = wasm_f32x4_pmax(pairs, wasm_i32x4_shuffle(pairs, pairs, 1, 0, 3, 2));
    return static_cast<std::uint32_t>(
        __builtin_ctz(bits(wasm_f32x4_eq(p.v, most), wasm_f32x4_eq(p.w, most))));
  }

 private:
  static std::uint32_t bits(v128_t first, v128_t second) noexcept {
    return static_cast<std::uint32_t>(wasm_i32x4_bitmask(first)) |
           static_cast<std::uint32_t>(wasm_i32x4_bitmask(second)) << 4;
  }
};

#else

/// For other processors: loops that compilers vectorise.
struct Lanes {
  float v[8];
  template <class Operation>
  static Lanes each(const Operation& operation) noexcept {
    Lanes result;
    for (int k = 0; k < 8; ++k) result.v[k] = operation(k);
    return result;
  }
  static Lanes load(const float* from) noexcept {
    return each([&](int k) { return from[k]; });
  }
  static Lanes all(float value) noexcept {
    return each([&](int) { return value; });
  }
  void store(float* to) const noexcept {
    for (int k = 0; k < 8; ++k) to[k] = v[k];
  }
  friend Lanes operator+(const Lanes& p, const Lanes& q) noexcept {
    return each([&](int k) { return p.v[k] + q.v[k]; });
  }
  friend Lanes operator-(const Lanes& p, const Lanes& q) noexcept {
    return each([&](int k) { return p.v[k] - q.v[k]; });
  }
  friend Lanes operator*(const Lanes& p, const Lanes& q) noexcept {
    return each([&](int k) { return p.v[k] * q.v[k]; });
  }
  friend Lanes root(const Lanes& p) noexcept {
    return each([&](int k) { return std::sqrt(p.v[k]); });
  }
  friend Lanes smaller(const Lanes& p, const Lanes& q) noexcept {
    return each([&](int k) { return p.v[k] < q.v[k] ? p.v[k] : q.v[k]; });
  }
  friend Lanes larger(const Lanes& p, const Lanes& q) noexcept {
    return each([&](int k) { return p.v[k] > q.v[k] ? p.v[k] : q.v[k]; });
  }
  friend std::uint32_t atMost(const Lanes& p, const Lanes& q) noexcept {
    std::uint32_t bits = 0;
    for (int k = 0; k < 8; ++k) bits |= static_cast<std::uint32_t>(p.v[k] <= q.v[k]) << k;
    return bits;
  }
  friend std::uint32_t lessThan(const Lanes& p, const Lanes& q) noexcept {
    std::uint32_t bits = 0;
    for (int k = 0; k < 8; ++k) bits |= static_cast<std::uint32_t>(p.v[k] < q.v[k]) << k;
    return bits;
  }
  friend std::uint32_t unsignedLanes(const Lanes& p) noexcept {
    std::uint32_t bits = 0;
    for (int k = 0; k < 8; ++k) bits |= static_cast<std::uint32_t>(!std::signbit(p.v[k])) << k;
    return bits;
  }
  friend std::uint32_t largestLane(const Lanes& p) noexcept {
    std::uint32_t largest = 0;
    for (std::uint32_t k = 1; k < 8; ++k)
      if (p.v[k] > p.v[largest]) largest = k;
    return largest;
  }
};

#endif

#if defined(__SSE2__)

/// A point whose lanes are used alike.
struct Point {
  __m128 v;
  static Point of(float x, float y, float z) noexcept { return {_mm_setr_ps(x, y, z, 0.0f)}; }
  static Point load(const float* from) noexcept { return {_mm_load_ps(from)}; }
  friend Point operator+(Point p, Point q) noexcept { return {_mm_add_ps(p.v, q.v)}; }
  friend Point operator-(Point p, Point q) noexcept { return {_mm_sub_ps(p.v, q.v)}; }
  friend Point operator*(Point p, Point q) noexcept { return {_mm_mul_ps(p.v, q.v)}; }
  /// Rotates three lanes: lane j gets lane j + 1, or lane j - 1.
  [[nodiscard]] Point next() const noexcept { return {_mm_shuffle_ps(v, v, 0xc9)}; }
  [[nodiscard]] Point last() const noexcept { return {_mm_shuffle_ps(v, v, 0xd2)}; }
  template <int K>
  [[nodiscard]] Point spread() const noexcept {
    return {_mm_shuffle_ps(v, v, K * 0x55)};
  }
  template <int K>
  [[nodiscard]] float at() const noexcept {
    return _mm_cvtss_f32(_mm_shuffle_ps(v, v, K * 0x55));
  }
};

#elif defined(__wasm_simd128__)

struct Point {
  v128_t v;
  static Point of(float x, float y, float z) noexcept { return {wasm_f32x4_make(x, y, z, 0.0f)}; }
  static Point load(const float* from) noexcept { return {wasm_v128_load(from)}; }
  friend Point operator+(Point p, Point q) noexcept { return {wasm_f32x4_add(p.v, q.v)}; }
  friend Point operator-(Point p, Point q) noexcept { return {wasm_f32x4_sub(p.v, q.v)}; }
  friend Point operator*(Point p, Point q) noexcept { return {wasm_f32x4_mul(p.v, q.v)}; }
  [[nodiscard]] Point next() const noexcept { return {wasm_i32x4_shuffle(v, v, 1, 2, 0, 3)}; }
  [[nodiscard]] Point last() const noexcept { return {wasm_i32x4_shuffle(v, v, 2, 0, 1, 3)}; }
  template <int K>
  [[nodiscard]] Point spread() const noexcept {
    return {wasm_i32x4_shuffle(v, v, K, K, K, K)};
  }
  template <int K>
  [[nodiscard]] float at() const noexcept {
    return wasm_f32x4_extract_lane(v, K);
  }
};

#else

struct Point {
  float v[4];
  static Point of(float x, float y, float z) noexcept { return {{x, y, z, 0.0f}}; }
  static Point load(const float* from) noexcept { return {{from[0], from[1], from[2], from[3]}}; }
  friend Point operator+(const Point& p, const Point& q) noexcept {
    return {{p.v[0] + q.v[0], p.v[1] + q.v[1], p.v[2] + q.v[2], p.v[3] + q.v[3]}};
  }
  friend Point operator-(const Point& p, const Point& q) noexcept {
    return {{p.v[0] - q.v[0], p.v[1] - q.v[1], p.v[2] - q.v[2], p.v[3] - q.v[3]}};
  }
  [[nodiscard]] Point next() const noexcept { return {{v[1], v[2], v[0], v[3]}}; }
  [[nodiscard]] Point last() const noexcept { return {{v[2], v[0], v[1], v[3]}}; }
  friend Point operator*(const Point& p, const Point& q) noexcept {
    return {{p.v[0] * q.v[0], p.v[1] * q.v[1], p.v[2] * q.v[2], p.v[3] * q.v[3]}};
  }
  template <int K>
  [[nodiscard]] Point spread() const noexcept {
    return {{v[K], v[K], v[K], v[K]}};
  }
  template <int K>
  [[nodiscard]] float at() const noexcept {
    return v[K];
  }
};

#endif

inline double rootOf(double square) noexcept {
#if defined(__SSE2__)
  const __m128d all = _mm_set_sd(square);
  return _mm_cvtsd_f64(_mm_sqrt_sd(all, all));
#else
  return std::sqrt(square);
#endif
}

inline float rootOf(float square) noexcept {
#if defined(__SSE2__)
  return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(square)));
#else
  return std::sqrt(square);
#endif
}

}  // namespace nearmiss::NEARMISS_PATH
