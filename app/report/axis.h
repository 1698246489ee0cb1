// SPDX-License-Identifier: MIT
/// An axis of a plot: maps values to pixels and chooses ticks with labels that do not overlap.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app::report {

/// Upper bound on the width in pixels of a text in the plots' size, for any sans-serif font of a
/// browser.
[[nodiscard]] double widthOf(std::string_view text) noexcept;
inline constexpr double lineHeight = 14.0;

/// Truncates a text to a width in pixels, with an ellipsis if necessary.
[[nodiscard]] std::string truncate(std::string_view text, double width);

/// Four digits in the shortest form: "0.0125", "1.2e-7", "12500".
[[nodiscard]] std::string shortNumber(double value);

struct Tick {
  double value = 0.0;
  std::string label;
};

class Axis {
 public:
  /// Adds margins at the ends. Expands an empty or single-valued range.
  /// @param fromZero start at 0 if `low` is not far above it
  Axis(bool logarithmic, double low, double high, bool fromZero);

  void setPixels(double atLow, double atHigh) noexcept;
  /// Returns true if the value is on the axis: finite, and positive on a logarithmic axis.
  [[nodiscard]] bool shows(double value) const noexcept;
  [[nodiscard]] double at(double value) const noexcept;
  /// The pixel where bars start: 0 if that is on the axis, otherwise its nearer end.
  [[nodiscard]] double base() const noexcept;

  /// As many ticks as fit with horizontal labels, next to or above each other.
  [[nodiscard]] std::vector<Tick> ticksAcross() const;
  [[nodiscard]] std::vector<Tick> ticksUpward() const;

 private:
  [[nodiscard]] std::vector<std::vector<double>> tickChoices() const;
  template <class Room>
  [[nodiscard]] std::vector<Tick> ticks(const Room& roomOf) const;

  bool logarithmic_;
  double low_, high_;  ///< logarithms on a logarithmic axis
  double from_ = 0.0, to_ = 1.0;
};

}  // namespace nearmiss::app::report
