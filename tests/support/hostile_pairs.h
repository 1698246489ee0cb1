// SPDX-License-Identifier: MIT
/// Every pair of the numbers that a door takes, set to every pair of hostile values: the door must
/// name one of the two, or answer without a NaN.
#pragma once

#include <gtest/gtest.h>
#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/campaign.h"
#include "support/untrapped.h"

namespace nearmiss::test {

/// A rotation is of unit length with few of them.
inline constexpr std::array hostileValues{std::numeric_limits<Real>::quiet_NaN(),
                                          std::numeric_limits<Real>::infinity(),
                                          -std::numeric_limits<Real>::infinity(),
                                          std::numeric_limits<Real>::max(),
                                          std::numeric_limits<Real>::lowest(),
                                          std::numeric_limits<Real>::denorm_min(),
                                          -0.0,
                                          0.0,
                                          -1.0,
                                          0.5,
                                          1e300,
                                          maxPoseMagnitude,
                                          -maxPoseMagnitude};

/// What a door said.
struct Told {
  bool refused = false;
  std::string sentence;       ///< of a refusal
  std::vector<Real> numbers;  ///< of an answer
  std::string fault;          ///< what else is wrong with either; empty: nothing
};

/// @param numbersOf tells the numbers of an answer: numbersOf(told, answer)
template <class Value>
Told toldOf(const Result<Value>& found, const auto& numbersOf) {
  Told told;
  told.refused = !found;
  if (found)
    numbersOf(told, *found);
  else
    told.sentence = found.error().message;
  return told;
}

inline void put(std::vector<Real>& numbers, const auto&... values) {
  const auto one = [&numbers](const auto& value) {
    if constexpr (requires { value.x; })
      numbers.insert(numbers.end(), {value.x, value.y, value.z});
    else
      numbers.push_back(value);
  };
  (one(values), ...);
}

/// The numbers of one door, by the names that its refusals have for them.
class HostileNumbers {
 public:
  /// @param name as refusals have it; "a|b" where they have one of two
  HostileNumbers& number(std::string name, Real& at) {
    numbers_.push_back({std::move(name), &at});
    return *this;
  }
  HostileNumbers& vector(const std::string& name, Vec3& at) {
    return number(name + ".x", at.x).number(name + ".y", at.y).number(name + ".z", at.z);
  }
  HostileNumbers& pose(Pose& at) {
    vector("position", at.position);
    for (Real* part : {&at.rotation.w, &at.rotation.x, &at.rotation.y, &at.rotation.z})
      number("rotation.", *part);
    return *this;
  }

  /// Asks about every number alone and every pair, `ask()`, which returns Told; ends after a few
  /// faults. A fair share is refused, and another answered, or nothing was tried.
  void tryAll(const auto& ask) {
    const Untrapped endsOfTheRange;
    constexpr std::size_t values = hostileValues.size();
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      for (std::size_t j = i; j < numbers_.size(); ++j)
        for (std::size_t v = 0; v < values; ++v)
          for (std::size_t w = i == j ? v : 0; w < (i == j ? v + 1 : values); ++w)
            if (faults_ < maxFaults)
              tryOne(numbers_[i], hostileValues[v], numbers_[j], hostileValues[w], ask);
    reportCases(refused_ + answered_);
    EXPECT_GT(refused_, 0);
    EXPECT_GT(answered_, 0);
  }

 private:
  struct Named {
    std::string name;
    Real* at;
  };
  static constexpr int maxFaults = 5;

  void tryOne(const Named& one, Real first, const Named& other, Real second, const auto& ask) {
    const Real before = *one.at, otherBefore = *other.at;
    *one.at = first;
    *other.at = second;
    const Told told = ask();
    *other.at = otherBefore;
    *one.at = before;
    ++(told.refused ? refused_ : answered_);
    std::string fault = told.fault;
    if (told.refused && !names(told.sentence, one) && !names(told.sentence, other))
      fault = "\"" + told.sentence + "\" names neither";
    for (const Real number : told.numbers)
      if (std::isnan(number)) fault = "the answer has a NaN";
    if (fault.empty()) return;
    ++faults_;
    ADD_FAILURE() << one.name << " = " << first << ", " << other.name << " = " << second << ": "
                  << fault;
  }

  /// By its name, or that of the vector that it is of; one of several where it has "a|b".
  static bool names(std::string_view sentence, const Named& number) {
    for (std::string_view left = number.name; !left.empty();) {
      const std::size_t bar = std::min(left.find('|'), left.size());
      const std::string_view whole = left.substr(0, bar);
      if (sentence.find(whole.substr(0, whole.rfind('.'))) != sentence.npos) return true;
      left.remove_prefix(std::min(bar + 1, left.size()));
    }
    return false;
  }

  std::vector<Named> numbers_;
  int refused_ = 0, answered_ = 0, faults_ = 0;
};

}  // namespace nearmiss::test
