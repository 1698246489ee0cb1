// SPDX-License-Identifier: MIT
/// A hash of what every operation of the vectors of base/lanes.h and detail/double_pack.h returns,
/// for the instruction set of the including source. All instruction sets give the recorded value.
#pragma once

#define NEARMISS_PATH vectors_under_test
#include <nearmiss/detail/double_pack.h>
#include <nearmiss/detail/split_mix.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/lanes.h"
#undef NEARMISS_PATH

namespace nearmiss::test {

class VectorHash {
 public:
  void add(std::uint64_t value) noexcept {
    for (int shift = 0; shift < 64; shift += 8)
      state_ = (state_ ^ ((value >> shift) & 255)) * 1099511628211u;
  }
  /// Machines differ in the bits of a NaN.
  void add(float value) noexcept {
    add(std::uint64_t{std::isnan(value) ? 0x7fc00000u : std::bit_cast<std::uint32_t>(value)});
  }
  void add(double value) noexcept {
    add(std::isnan(value) ? std::uint64_t{0x7ff8} << 48 : std::bit_cast<std::uint64_t>(value));
  }
  void add(const vectors_under_test::Lanes& lanes) noexcept {
    std::array<float, 8> out;
    lanes.store(out.data());
    for (const float each : out) add(each);
  }
  void add(const vectors_under_test::Point& point) noexcept {
    add(point.at<0>());
    add(point.at<1>());
    add(point.at<2>());
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return state_; }

 private:
  std::uint64_t state_ = 14695981039346656037u;
};

/// Draws numbers of all sizes, equal ones, zeros of both signs, and now and then NaN or infinity.
template <class T>
T drawNumber(SplitMix& random, bool ordered) noexcept {
  constexpr T infinity = std::numeric_limits<T>::infinity();
  switch (random.bits() % 16) {
    case 0:
      return T{0};
    case 1:
      return -T{0};
    case 2:
      return T{1};
    case 3:
      return std::numeric_limits<T>::denorm_min();
    case 4:
      return ordered ? T{-1} : infinity;
    case 5:
      return ordered ? T{2} : -infinity;
    case 6:
      return ordered ? T{-2} : std::numeric_limits<T>::quiet_NaN();
    default:
      break;
  }
  // Compilers evaluate arguments in different orders
  const T sign = random.bits() % 2 == 0 ? T{1} : T{-1};
  const T digits = static_cast<T>(1.0 + random.unit());
  return sign * std::ldexp(digits, static_cast<int>(random.bits() % 41) - 20);
}

inline void hashLanes(SplitMix& random, VectorHash& hash) noexcept {
  using namespace vectors_under_test;
  alignas(32) std::array<float, 8> a, b, c;
  for (std::size_t k = 0; k < 8; ++k) {
    a[k] = drawNumber<float>(random, false);
    b[k] = drawNumber<float>(random, false);
    c[k] = drawNumber<float>(random, true);
  }
  const Lanes p = Lanes::load(a.data()), q = Lanes::load(b.data()), r = Lanes::load(c.data());
  hash.add(p + q);
  hash.add(p - q);
  hash.add(p * q);
  hash.add(root(p));
  hash.add(smaller(p, q));
  hash.add(larger(p, q));
  hash.add(Lanes::all(a[3]));
  hash.add(std::uint64_t{atMost(p, q)});
  hash.add(std::uint64_t{lessThan(p, q)});
  hash.add(std::uint64_t{unsignedLanes(r)});
  hash.add(std::uint64_t{largestLane(r)});
  const Point s = Point::load(c.data()), t = Point::of(c[4], c[5], c[6]);
  hash.add(s + t);
  hash.add(s - t);
  hash.add(s * t);
  hash.add(s.next());
  hash.add(s.last());
  hash.add(t.spread<0>());
  hash.add(t.spread<1>());
  hash.add(t.spread<2>());
  hash.add(rootOf(std::abs(c[7])));
}

/// Packs have another width on each machine, so one number at a time is hashed.
inline void hashDoubles(SplitMix& random, VectorHash& hash) noexcept {
  using namespace vectors_under_test;
  constexpr std::size_t count = 8, width = DoublePack::width;
  std::array<double, count> a, b;
  std::array<std::array<double, count>, 7> out;
  std::array<unsigned, 4> bits{};
  for (std::size_t k = 0; k < count; ++k) {
    a[k] = drawNumber<double>(random, false);
    b[k] = drawNumber<double>(random, false);
  }
  for (std::size_t k = 0; k < count; k += width) {
    const DoublePack p = DoublePack::load(&a[k]), q = DoublePack::load(&b[k]);
    (p + q).store(&out[0][k]);
    (p - q).store(&out[1][k]);
    (p * q).store(&out[2][k]);
    (p / q).store(&out[3][k]);
    (-p).store(&out[4][k]);
    root(p).store(&out[5][k]);
    select(p < q, p, DoublePack::all(1.5)).store(&out[6][k]);
    const auto less = p < q, equal = p == q, atMost = p <= q;
    bits[0] |= bitsOf(less) << k;
    bits[1] |= bitsOf(less | equal) << k;
    bits[2] |= bitsOf(less ^ atMost) << k;
    bits[3] |= bitsOf(atMost & equal) << k;
  }
  for (const auto& numbers : out)
    for (const double each : numbers) hash.add(each);
  for (const unsigned each : bits) hash.add(std::uint64_t{each});
}

inline constexpr std::uint64_t recordedVectorHash = 12191864148699529277u;

inline std::uint64_t vectorHash() noexcept {
  SplitMix random(5);
  VectorHash hash;
  for (int round = 0; round < 20'000; ++round) {
    hashLanes(random, hash);
    hashDoubles(random, hash);
  }
  return hash.value();
}

}  // namespace nearmiss::test
