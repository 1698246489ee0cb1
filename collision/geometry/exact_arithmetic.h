// SPDX-License-Identifier: MIT
/// Exact sums and products of doubles as expansions, for predicates whose filter is undecided.
///
/// An expansion is a sum of nonoverlapping doubles in order of increasing magnitude, without zeros.
/// So its sign is that of its last term [S97]. Requires round-to-nearest-even, and that no product
/// overflows or underflows. Extended registers, fast math and contraction to fused operations must
/// be off.
#pragma once

#include <nearmiss/detail/assertion.h>

#include <array>
#include <cfloat>
#include <cmath>
#include <cstddef>

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__)
#error "fast maths takes away the tails of exact sums: compile with -fno-fast-math"
#elif FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 2
#error "extended registers round twice: on x86 compile with -msse2 -mfpmath=sse"
#endif

namespace nearmiss::exact {

/// A rounded result and its rounding error: head + tail is exact.
struct TwoTerms {
  double head;
  double tail;
};

[[nodiscard]] inline TwoTerms twoSum(double a, double b) noexcept {
  const double head = a + b;
  const double bVirtual = head - a;
  const double aVirtual = head - bVirtual;
  return {head, (a - aVirtual) + (b - bVirtual)};
}

/// As twoSum(). @pre |a| >= |b|
[[nodiscard]] inline TwoTerms fastTwoSum(double a, double b) noexcept {
  NEARMISS_ASSERT(!(std::abs(a) < std::abs(b)), a, b);
  const double head = a + b;
  return {head, b - (head - a)};
}

[[nodiscard]] inline TwoTerms twoDifference(double a, double b) noexcept { return twoSum(a, -b); }

/// Splits a double into two halves of 26 bits, whose products are exact [D71].
[[nodiscard]] inline TwoTerms split(double a) noexcept {
  constexpr double splitter = 134217729.0;  // 2^27 + 1
  const double c = splitter * a;
  const double high = c - (c - a);
  return {high, a - high};
}

[[nodiscard]] inline TwoTerms twoProduct(double a, double b) noexcept {
  const double head = a * b;
  const TwoTerms x = split(a);
  const TwoTerms y = split(b);
  const double error = ((x.head * y.head - head) + x.head * y.tail) + x.tail * y.head;
  return {head, x.tail * y.tail + error};
}

/// An expansion with at most `capacity` terms, stored on the stack.
template <std::size_t capacity>
class Expansion {
 public:
  Expansion() noexcept = default;
  explicit Expansion(const TwoTerms& two) noexcept {
    push(two.tail);
    push(two.head);
  }
  void push(double term) noexcept {
    if (term != 0.0) terms_[size_++] = term;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] double operator[](std::size_t i) const noexcept { return terms_[i]; }
  /// Returns the sum with an error of at most an ulp or two. Adds the smallest terms first.
  [[nodiscard]] double estimate() const noexcept {
    double sum = 0.0;
    for (std::size_t i = 0; i < size_; ++i) sum += terms_[i];
    return sum;
  }
  [[nodiscard]] int sign() const noexcept {
    if (size_ == 0) return 0;
    return terms_[size_ - 1] > 0.0 ? 1 : -1;
  }

 private:
  // uninitialised beyond size_, because clearing would dominate the cost
  std::array<double, capacity> terms_;
  std::size_t size_ = 0;
};

/// The exact difference of two doubles.
[[nodiscard]] inline Expansion<2> difference(double a, double b) noexcept {
  return Expansion<2>(twoDifference(a, b));
}

/// e + f [S97, Fig. 8]: merges by magnitude, then propagates the sum.
template <std::size_t m, std::size_t n>
[[nodiscard]] Expansion<m + n> operator+(const Expansion<m>& e, const Expansion<n>& f) noexcept {
  Expansion<m + n> sum;
  std::size_t i = 0;
  std::size_t j = 0;
  const auto next = [&] {
    const bool takeE = j == f.size() || (i < e.size() && std::fabs(e[i]) < std::fabs(f[j]));
    return takeE ? e[i++] : f[j++];
  };
  if (e.size() + f.size() == 0) return sum;
  double carry = next();
  while (i < e.size() || j < f.size()) {
    const TwoTerms step = twoSum(next(), carry);
    sum.push(step.tail);
    carry = step.head;
  }
  sum.push(carry);
  return sum;
}

template <std::size_t m>
[[nodiscard]] Expansion<m> operator-(const Expansion<m>& e) noexcept {
  Expansion<m> negated;
  for (std::size_t i = 0; i < e.size(); ++i) negated.push(-e[i]);
  return negated;
}

template <std::size_t m, std::size_t n>
[[nodiscard]] Expansion<m + n> operator-(const Expansion<m>& e, const Expansion<n>& f) noexcept {
  return e + -f;
}

/// The product e b [S97, Fig. 13].
template <std::size_t m>
[[nodiscard]] Expansion<2 * m> operator*(const Expansion<m>& e, double b) noexcept {
  Expansion<2 * m> product;
  if (e.size() == 0) return product;
  const TwoTerms first = twoProduct(e[0], b);
  product.push(first.tail);
  double carry = first.head;
  for (std::size_t i = 1; i < e.size(); ++i) {
    const TwoTerms next = twoProduct(e[i], b);
    const TwoTerms low = twoSum(carry, next.tail);
    product.push(low.tail);
    const TwoTerms high = fastTwoSum(next.head, low.head);
    product.push(high.tail);
    carry = high.head;
  }
  product.push(carry);
  return product;
}

/// The product e d for a difference d of two doubles.
template <std::size_t m>
[[nodiscard]] Expansion<4 * m> operator*(const Expansion<m>& e, const Expansion<2>& d) noexcept {
  // The difference is mostly a single double, which saves half the work
  const Expansion<2 * m> low = d.size() > 0 ? e * d[0] : Expansion<2 * m>();
  const Expansion<2 * m> high = d.size() > 1 ? e * d[1] : Expansion<2 * m>();
  return low + high;
}

}  // namespace nearmiss::exact
