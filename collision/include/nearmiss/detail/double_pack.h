// SPDX-License-Identifier: MIT
/// Several doubles at once, with the instruction set for which the including source is compiled.
/// All variants perform the same IEEE operations, so results are equal to the bit.
#pragma once

#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#else
#include <cmath>
#endif

namespace nearmiss::NEARMISS_PATH {

#if defined(__AVX512F__)

/// One bit per lane; `&`, `|` and `^` act on each lane separately.
using DoubleMask = __mmask8;

struct DoublePack {
  static constexpr int width = 8;
  __m512d v;
  static DoublePack load(const double* from) noexcept { return {_mm512_loadu_pd(from)}; }
  static DoublePack all(double value) noexcept { return {_mm512_set1_pd(value)}; }
  void store(double* to) const noexcept { _mm512_storeu_pd(to, v); }
  friend DoublePack operator+(DoublePack p, DoublePack q) noexcept {
    return {_mm512_add_pd(p.v, q.v)};
  }
  friend DoublePack operator-(DoublePack p, DoublePack q) noexcept {
    return {_mm512_sub_pd(p.v, q.v)};
  }
  friend DoublePack operator*(DoublePack p, DoublePack q) noexcept {
    return {_mm512_mul_pd(p.v, q.v)};
  }
  friend DoublePack operator/(DoublePack p, DoublePack q) noexcept {
    return {_mm512_div_pd(p.v, q.v)};
  }
  friend DoublePack operator-(DoublePack p) noexcept {
    return {_mm512_castsi512_pd(
        _mm512_xor_si512(_mm512_castpd_si512(p.v), _mm512_castpd_si512(_mm512_set1_pd(-0.0))))};
  }
  /// Masked, because gcc 12 reports the operand that the unmasked form ignores as uninitialised.
  friend DoublePack root(DoublePack p) noexcept { return {_mm512_maskz_sqrt_pd(0xff, p.v)}; }
  friend DoubleMask operator<(DoublePack p, DoublePack q) noexcept {
    return _mm512_cmp_pd_mask(p.v, q.v, _CMP_LT_OQ);
  }
  friend DoubleMask operator<=(DoublePack p, DoublePack q) noexcept {
    return _mm512_cmp_pd_mask(p.v, q.v, _CMP_LE_OQ);
  }
  friend DoubleMask operator==(DoublePack p, DoublePack q) noexcept {
    return _mm512_cmp_pd_mask(p.v, q.v, _CMP_EQ_OQ);
  }
};
inline DoublePack select(DoubleMask which, DoublePack p, DoublePack q) noexcept {
  return {_mm512_mask_blend_pd(which, q.v, p.v)};
}
inline unsigned bitsOf(DoubleMask which) noexcept { return which; }

#elif defined(__AVX__)

struct DoubleMask {
  __m256d v;
  friend DoubleMask operator&(DoubleMask p, DoubleMask q) noexcept {
    return {_mm256_and_pd(p.v, q.v)};
  }
  friend DoubleMask operator|(DoubleMask p, DoubleMask q) noexcept {
    return {_mm256_or_pd(p.v, q.v)};
  }
  friend DoubleMask operator^(DoubleMask p, DoubleMask q) noexcept {
    return {_mm256_xor_pd(p.v, q.v)};
  }
};

struct DoublePack {
  static constexpr int width = 4;
  __m256d v;
  static DoublePack load(const double* from) noexcept { return {_mm256_loadu_pd(from)}; }
  static DoublePack all(double value) noexcept { return {_mm256_set1_pd(value)}; }
  void store(double* to) const noexcept { _mm256_storeu_pd(to, v); }
  friend DoublePack operator+(DoublePack p, DoublePack q) noexcept {
    return {_mm256_add_pd(p.v, q.v)};
  }
  friend DoublePack operator-(DoublePack p, DoublePack q) noexcept {
    return {_mm256_sub_pd(p.v, q.v)};
  }
  friend DoublePack operator*(DoublePack p, DoublePack q) noexcept {
    return {_mm256_mul_pd(p.v, q.v)};
  }
  friend DoublePack operator/(DoublePack p, DoublePack q) noexcept {
    return {_mm256_div_pd(p.v, q.v)};
  }
  friend DoublePack operator-(DoublePack p) noexcept {
    return {_mm256_xor_pd(p.v, _mm256_set1_pd(-0.0))};
  }
  friend DoublePack root(DoublePack p) noexcept { return {_mm256_sqrt_pd(p.v)}; }
  friend DoubleMask operator<(DoublePack p, DoublePack q) noexcept {
    return {_mm256_cmp_pd(p.v, q.v, _CMP_LT_OQ)};
  }
  friend DoubleMask operator<=(DoublePack p, DoublePack q) noexcept {
    return {_mm256_cmp_pd(p.v, q.v, _CMP_LE_OQ)};
  }
  friend DoubleMask operator==(DoublePack p, DoublePack q) noexcept {
    return {_mm256_cmp_pd(p.v, q.v, _CMP_EQ_OQ)};
  }
};
inline DoublePack select(DoubleMask which, DoublePack p, DoublePack q) noexcept {
  return {_mm256_blendv_pd(q.v, p.v, which.v)};
}
inline unsigned bitsOf(DoubleMask which) noexcept {
  return static_cast<unsigned>(_mm256_movemask_pd(which.v));
}

#elif defined(__SSE2__)

struct DoubleMask {
  __m128d v;
  friend DoubleMask operator&(DoubleMask p, DoubleMask q) noexcept {
    return {_mm_and_pd(p.v, q.v)};
  }
  friend DoubleMask operator|(DoubleMask p, DoubleMask q) noexcept { return {_mm_or_pd(p.v, q.v)}; }
  friend DoubleMask operator^(DoubleMask p, DoubleMask q) noexcept {
    return {_mm_xor_pd(p.v, q.v)};
  }
};

struct DoublePack {
  static constexpr int width = 2;
  __m128d v;
  static DoublePack load(const double* from) noexcept { return {_mm_loadu_pd(from)}; }
  static DoublePack all(double value) noexcept { return {_mm_set1_pd(value)}; }
  void store(double* to) const noexcept { _mm_storeu_pd(to, v); }
  friend DoublePack operator+(DoublePack p, DoublePack q) noexcept {
    return {_mm_add_pd(p.v, q.v)};
  }
  friend DoublePack operator-(DoublePack p, DoublePack q) noexcept {
    return {_mm_sub_pd(p.v, q.v)};
  }
  friend DoublePack operator*(DoublePack p, DoublePack q) noexcept {
    return {_mm_mul_pd(p.v, q.v)};
  }
  friend DoublePack operator/(DoublePack p, DoublePack q) noexcept {
    return {_mm_div_pd(p.v, q.v)};
  }
  friend DoublePack operator-(DoublePack p) noexcept {
    return {_mm_xor_pd(p.v, _mm_set1_pd(-0.0))};
  }
  friend DoublePack root(DoublePack p) noexcept { return {_mm_sqrt_pd(p.v)}; }
  friend DoubleMask operator<(DoublePack p, DoublePack q) noexcept {
    return {_mm_cmplt_pd(p.v, q.v)};
  }
  friend DoubleMask operator<=(DoublePack p, DoublePack q) noexcept {
    return {_mm_cmple_pd(p.v, q.v)};
  }
  friend DoubleMask operator==(DoublePack p, DoublePack q) noexcept {
    return {_mm_cmpeq_pd(p.v, q.v)};
  }
};
inline DoublePack select(DoubleMask which, DoublePack p, DoublePack q) noexcept {
  return {_mm_or_pd(_mm_and_pd(which.v, p.v), _mm_andnot_pd(which.v, q.v))};
}
inline unsigned bitsOf(DoubleMask which) noexcept {
  return static_cast<unsigned>(_mm_movemask_pd(which.v));
}

#elif defined(__wasm_simd128__)

struct DoubleMask {
  v128_t v;
  friend DoubleMask operator&(DoubleMask p, DoubleMask q) noexcept {
    return {wasm_v128_and(p.v, q.v)};
  }
  friend DoubleMask operator|(DoubleMask p, DoubleMask q) noexcept {
    return {wasm_v128_or(p.v, q.v)};
  }
  friend DoubleMask operator^(DoubleMask p, DoubleMask q) noexcept {
    return {wasm_v128_xor(p.v, q.v)};
  }
};

struct DoublePack {
  static constexpr int width = 2;
  v128_t v;
  static DoublePack load(const double* from) noexcept { return {wasm_v128_load(from)}; }
  static DoublePack all(double value) noexcept { return {wasm_f64x2_splat(value)}; }
  void store(double* to) const noexcept { wasm_v128_store(to, v); }
  friend DoublePack operator+(DoublePack p, DoublePack q) noexcept {
    return {wasm_f64x2_add(p.v, q.v)};
  }
  friend DoublePack operator-(DoublePack p, DoublePack q) noexcept {
    return {wasm_f64x2_sub(p.v, q.v)};
  }
  friend DoublePack operator*(DoublePack p, DoublePack q) noexcept {
    return {wasm_f64x2_mul(p.v, q.v)};
  }
  friend DoublePack operator/(DoublePack p, DoublePack q) noexcept {
    return {wasm_f64x2_div(p.v, q.v)};
  }
  friend DoublePack operator-(DoublePack p) noexcept { return {wasm_f64x2_neg(p.v)}; }
  friend DoublePack root(DoublePack p) noexcept { return {wasm_f64x2_sqrt(p.v)}; }
  friend DoubleMask operator<(DoublePack p, DoublePack q) noexcept {
    return {wasm_f64x2_lt(p.v, q.v)};
  }
  friend DoubleMask operator<=(DoublePack p, DoublePack q) noexcept {
    return {wasm_f64x2_le(p.v, q.v)};
  }
  friend DoubleMask operator==(DoublePack p, DoublePack q) noexcept {
    return {wasm_f64x2_eq(p.v, q.v)};
  }
};
inline DoublePack select(DoubleMask which, DoublePack p, DoublePack q) noexcept {
  return {wasm_v128_bitselect(p.v, q.v, which.v)};
}
inline unsigned bitsOf(DoubleMask which) noexcept {
  return static_cast<unsigned>(wasm_i64x2_bitmask(which.v));
}

#else

using DoubleMask = bool;

struct DoublePack {
  static constexpr int width = 1;
  double v;
  static DoublePack load(const double* from) noexcept { return {*from}; }
  static DoublePack all(double value) noexcept { return {value}; }
  void store(double* to) const noexcept { *to = v; }
  friend DoublePack operator+(DoublePack p, DoublePack q) noexcept { return {p.v + q.v}; }
  friend DoublePack operator-(DoublePack p, DoublePack q) noexcept { return {p.v - q.v}; }
  friend DoublePack operator*(DoublePack p, DoublePack q) noexcept { return {p.v * q.v}; }
  friend DoublePack operator/(DoublePack p, DoublePack q) noexcept { return {p.v / q.v}; }
  friend DoublePack operator-(DoublePack p) noexcept { return {-p.v}; }
  friend DoublePack root(DoublePack p) noexcept { return {std::sqrt(p.v)}; }
  friend DoubleMask operator<(DoublePack p, DoublePack q) noexcept { return p.v < q.v; }
  friend DoubleMask operator<=(DoublePack p, DoublePack q) noexcept { return p.v <= q.v; }
  friend DoubleMask operator==(DoublePack p, DoublePack q) noexcept { return p.v == q.v; }
};
inline DoublePack select(DoubleMask which, DoublePack p, DoublePack q) noexcept {
  return which ? p : q;
}
inline unsigned bitsOf(DoubleMask which) noexcept { return which ? 1u : 0u; }

#endif

}  // namespace nearmiss::NEARMISS_PATH
