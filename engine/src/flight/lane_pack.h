// SPDX-License-Identifier: MIT
/// Several doubles at once, on the instructions that the including source is compiled for. Every
/// way does the same IEEE operations, so that all give the same bits.
#pragma once

#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#else
#include <cmath>
#endif

namespace nearmiss::engine::NEARMISS_PATH {

#if defined(__AVX512F__)

/// A bit for each lane.
using Mask = __mmask8;

struct Pack {
  static constexpr int width = 8;
  __m512d v;
  static Pack load(const double* from) noexcept { return {_mm512_loadu_pd(from)}; }
  static Pack all(double value) noexcept { return {_mm512_set1_pd(value)}; }
  void store(double* to) const noexcept { _mm512_storeu_pd(to, v); }
  friend Pack operator+(Pack p, Pack q) noexcept { return {_mm512_add_pd(p.v, q.v)}; }
  friend Pack operator-(Pack p, Pack q) noexcept { return {_mm512_sub_pd(p.v, q.v)}; }
  friend Pack operator*(Pack p, Pack q) noexcept { return {_mm512_mul_pd(p.v, q.v)}; }
  friend Pack operator/(Pack p, Pack q) noexcept { return {_mm512_div_pd(p.v, q.v)}; }
  friend Pack operator-(Pack p) noexcept {
    return {_mm512_castsi512_pd(
        _mm512_xor_si512(_mm512_castpd_si512(p.v), _mm512_castpd_si512(_mm512_set1_pd(-0.0))))};
  }
  /// With a mask, since gcc 12 takes what the plain one does not look at for uninitialised.
  friend Pack root(Pack p) noexcept { return {_mm512_maskz_sqrt_pd(0xff, p.v)}; }
  friend Mask operator<(Pack p, Pack q) noexcept {
    return _mm512_cmp_pd_mask(p.v, q.v, _CMP_LT_OQ);
  }
  friend Mask operator<=(Pack p, Pack q) noexcept {
    return _mm512_cmp_pd_mask(p.v, q.v, _CMP_LE_OQ);
  }
  friend Mask operator==(Pack p, Pack q) noexcept {
    return _mm512_cmp_pd_mask(p.v, q.v, _CMP_EQ_OQ);
  }
};
inline Pack select(Mask which, Pack p, Pack q) noexcept {
  return {_mm512_mask_blend_pd(which, q.v, p.v)};
}

#elif defined(__AVX__)

struct Mask {
  __m256d v;
  friend Mask operator&(Mask p, Mask q) noexcept { return {_mm256_and_pd(p.v, q.v)}; }
};

struct Pack {
  static constexpr int width = 4;
  __m256d v;
  static Pack load(const double* from) noexcept { return {_mm256_loadu_pd(from)}; }
  static Pack all(double value) noexcept { return {_mm256_set1_pd(value)}; }
  void store(double* to) const noexcept { _mm256_storeu_pd(to, v); }
  friend Pack operator+(Pack p, Pack q) noexcept { return {_mm256_add_pd(p.v, q.v)}; }
  friend Pack operator-(Pack p, Pack q) noexcept { return {_mm256_sub_pd(p.v, q.v)}; }
  friend Pack operator*(Pack p, Pack q) noexcept { return {_mm256_mul_pd(p.v, q.v)}; }
  friend Pack operator/(Pack p, Pack q) noexcept { return {_mm256_div_pd(p.v, q.v)}; }
  friend Pack operator-(Pack p) noexcept { return {_mm256_xor_pd(p.v, _mm256_set1_pd(-0.0))}; }
  friend Pack root(Pack p) noexcept { return {_mm256_sqrt_pd(p.v)}; }
  friend Mask operator<(Pack p, Pack q) noexcept { return {_mm256_cmp_pd(p.v, q.v, _CMP_LT_OQ)}; }
  friend Mask operator<=(Pack p, Pack q) noexcept { return {_mm256_cmp_pd(p.v, q.v, _CMP_LE_OQ)}; }
  friend Mask operator==(Pack p, Pack q) noexcept { return {_mm256_cmp_pd(p.v, q.v, _CMP_EQ_OQ)}; }
};
inline Pack select(Mask which, Pack p, Pack q) noexcept {
  return {_mm256_blendv_pd(q.v, p.v, which.v)};
}

#elif defined(__SSE2__)

struct Mask {
  __m128d v;
  friend Mask operator&(Mask p, Mask q) noexcept { return {_mm_and_pd(p.v, q.v)}; }
};

struct Pack {
  static constexpr int width = 2;
  __m128d v;
  static Pack load(const double* from) noexcept { return {_mm_loadu_pd(from)}; }
  static Pack all(double value) noexcept { return {_mm_set1_pd(value)}; }
  void store(double* to) const noexcept { _mm_storeu_pd(to, v); }
  friend Pack operator+(Pack p, Pack q) noexcept { return {_mm_add_pd(p.v, q.v)}; }
  friend Pack operator-(Pack p, Pack q) noexcept { return {_mm_sub_pd(p.v, q.v)}; }
  friend Pack operator*(Pack p, Pack q) noexcept { return {_mm_mul_pd(p.v, q.v)}; }
  friend Pack operator/(Pack p, Pack q) noexcept { return {_mm_div_pd(p.v, q.v)}; }
  friend Pack operator-(Pack p) noexcept { return {_mm_xor_pd(p.v, _mm_set1_pd(-0.0))}; }
  friend Pack root(Pack p) noexcept { return {_mm_sqrt_pd(p.v)}; }
  friend Mask operator<(Pack p, Pack q) noexcept { return {_mm_cmplt_pd(p.v, q.v)}; }
  friend Mask operator<=(Pack p, Pack q) noexcept { return {_mm_cmple_pd(p.v, q.v)}; }
  friend Mask operator==(Pack p, Pack q) noexcept { return {_mm_cmpeq_pd(p.v, q.v)}; }
};
inline Pack select(Mask which, Pack p, Pack q) noexcept {
  return {_mm_or_pd(_mm_and_pd(which.v, p.v), _mm_andnot_pd(which.v, q.v))};
}

#else

using Mask = bool;

struct Pack {
  static constexpr int width = 1;
  double v;
  static Pack load(const double* from) noexcept { return {*from}; }
  static Pack all(double value) noexcept { return {value}; }
  void store(double* to) const noexcept { *to = v; }
  friend Pack operator+(Pack p, Pack q) noexcept { return {p.v + q.v}; }
  friend Pack operator-(Pack p, Pack q) noexcept { return {p.v - q.v}; }
  friend Pack operator*(Pack p, Pack q) noexcept { return {p.v * q.v}; }
  friend Pack operator/(Pack p, Pack q) noexcept { return {p.v / q.v}; }
  friend Pack operator-(Pack p) noexcept { return {-p.v}; }
  friend Pack root(Pack p) noexcept { return {std::sqrt(p.v)}; }
  friend Mask operator<(Pack p, Pack q) noexcept { return p.v < q.v; }
  friend Mask operator<=(Pack p, Pack q) noexcept { return p.v <= q.v; }
  friend Mask operator==(Pack p, Pack q) noexcept { return p.v == q.v; }
};
inline Pack select(Mask which, Pack p, Pack q) noexcept { return which ? p : q; }

#endif

}  // namespace nearmiss::engine::NEARMISS_PATH
