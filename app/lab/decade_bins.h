// SPDX-License-Identifier: MIT
/// A logarithmic histogram of positive numbers.
#pragma once

#include <cmath>
#include <cstddef>
#include <map>

namespace nearmiss::app::lab {

class DecadeBins {
 public:
  static constexpr double binsPerDecade = 10.0;

  /// Counts positive finite values only.
  void add(double value) {
    if (value > 0.0 && std::isfinite(value))
      ++bins_[static_cast<int>(std::floor(std::log10(value) * binsPerDecade))];
  }
  /// In ascending order, including empty bins between the first and the last with a count: without
  /// those, a staircase plot would be wrong there.
  [[nodiscard]] std::map<int, std::size_t> bins() const {
    std::map<int, std::size_t> all = bins_;
    if (!bins_.empty())
      for (int bin = bins_.begin()->first; bin < bins_.rbegin()->first; ++bin)
        all.try_emplace(bin, 0);
    return all;
  }
  /// Geometric centre of a bin.
  [[nodiscard]] static double middleOf(int bin) noexcept {
    return std::pow(10.0, (bin + 0.5) / binsPerDecade);
  }

 private:
  std::map<int, std::size_t> bins_;
};

}  // namespace nearmiss::app::lab
