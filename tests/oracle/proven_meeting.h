// SPDX-License-Identifier: MIT
/// When two bounds in space and time first meet, proven fast: extended precision finds which
/// inequalities decide, and these alone are combined in rational numbers. What that says is exact,
/// whatever the rounding on the way to it; where rounding has misled, it says nothing.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/first_meeting.h"

namespace nearmiss::test {

/// Proven: the bounds share no point before `time`, or at no time at all.
struct ProvenMeeting {
  bool never = false;
  Rational time;
};

/// Elimination that remembers where each inequality came from.
class TracedElimination {
 public:
  TracedElimination(const SpaceTimeBound& a, const SpaceTimeBound& b)
      : exact_(inequalitiesOf<Rational>(a, b)) {
    for (const auto& one : inequalitiesOf<long double>(a, b))
      traced_.push_back({one, std::uint64_t{1} << traced_.size(), 0, 0, 0});
    originals_ = traced_.size();
    for (std::size_t i = 0; i < originals_; ++i) rest_.push_back(i);
    for (std::size_t variable = 0; variable < 3; ++variable) eliminate(variable);
  }

  [[nodiscard]] std::optional<ProvenMeeting> prove() const {
    std::optional<std::size_t> first, last;
    long double firstAt = 0.0L, lastAt = 0.0L;
    for (const std::size_t i : rest_) {
      const auto& [n, limit] = traced_[i].value;
      if (n[3] == 0.0L && limit < 0.0L) return contradiction(i);
      if (n[3] == 0.0L) continue;
      const long double at = limit / n[3];
      if (n[3] < 0.0L && (!first || at > firstAt)) first = i, firstAt = at;
      if (n[3] > 0.0L && (!last || at < lastAt)) last = i, lastAt = at;
    }
    const auto low = exactly(*first), high = exactly(*last);
    if (!low || !high || !ofTimeOnly(*low) || !ofTimeOnly(*high)) return std::nullopt;
    if (low->n[3] >= 0 || high->n[3] <= 0) return std::nullopt;
    const Rational time = low->limit / low->n[3];
    return ProvenMeeting{time > high->limit / high->n[3], time};
  }

 private:
  struct Traced {
    Inequality<long double> value;
    std::uint64_t origins = 0;  ///< by bits
    std::size_t high = 0, low = 0, variable = 0;
  };

  void eliminate(std::size_t variable) {
    std::vector<std::size_t> rest, above, below;
    for (const std::size_t i : rest_) {
      const long double slope = traced_[i].value.n[variable];
      (slope > 0.0L ? above : slope < 0.0L ? below : rest).push_back(i);
    }
    for (const std::size_t high : above)
      for (const std::size_t low : below) {
        // More origins than eliminations and one: implied by others [Chernikov]
        const std::uint64_t origins = traced_[high].origins | traced_[low].origins;
        if (std::popcount(origins) > static_cast<int>(variable) + 2) continue;
        rest.push_back(traced_.size());
        traced_.push_back({combined(traced_[high].value, traced_[low].value, variable), origins,
                           high, low, variable});
      }
    rest_ = rest;
  }

  /// Nothing where a sign was not what it seemed.
  [[nodiscard]] std::optional<Inequality<Rational>> exactly(std::size_t i) const {
    if (i < originals_) return exact_[i];
    const Traced& one = traced_[i];
    const auto high = exactly(one.high), low = exactly(one.low);
    if (!high || !low || high->n[one.variable] <= 0 || low->n[one.variable] >= 0)
      return std::nullopt;
    return combined(*high, *low, one.variable);
  }

  [[nodiscard]] static bool ofTimeOnly(const Inequality<Rational>& one) {
    return one.n[0] == 0 && one.n[1] == 0 && one.n[2] == 0;
  }

  [[nodiscard]] std::optional<ProvenMeeting> contradiction(std::size_t i) const {
    const auto one = exactly(i);
    const bool holds = one && ofTimeOnly(*one) && one->n[3] == 0 && one->limit < 0;
    return holds ? std::optional(ProvenMeeting{true, 0}) : std::nullopt;
  }

  std::vector<Inequality<Rational>> exact_;
  std::vector<Traced> traced_;
  std::size_t originals_ = 0;
  std::vector<std::size_t> rest_;
};

[[nodiscard]] inline std::optional<ProvenMeeting> provenMeeting(const SpaceTimeBound& a,
                                                                const SpaceTimeBound& b) {
  return TracedElimination(a, b).prove();
}

}  // namespace nearmiss::test
