// SPDX-License-Identifier: MIT
/// One axis of a plot: from values to pixels, and ticks whose labels do not overlap.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app::report {

/// Upper bound on the pixels that a text of the plots' size takes, in any browser's sans-serif.
[[nodiscard]] double widthOf(std::string_view text) noexcept;
inline constexpr double lineHeight = 14.0;

/// A text cut to a width in pixels, with an ellipsis where something is cut.
[[nodiscard]] std::string cutTo(std::string_view text, double width);

/// Four digits, as short as can be: "0.0125", "1.2e-7", "12500".
[[nodiscard]] std::string shortNumber(double value);

struct Tick {
  double value = 0.0;
  std::string label;
};

class Axis {
 public:
  /// Room is left around the ends. Ends that are not a range, such as none at all or a single
  /// value, become one.
  /// @param fromZero begin at 0 if `low` is not far above it
  Axis(bool logarithmic, double low, double high, bool fromZero);

  void setPixels(double atLow, double atHigh) noexcept;
  /// True if the value has a place: finite, and positive on a logarithmic axis.
  [[nodiscard]] bool shows(double value) const noexcept;
  [[nodiscard]] double at(double value) const noexcept;
  /// The pixel where bars begin: 0 where that is on the axis, else its nearer end.
  [[nodiscard]] double base() const noexcept;

  /// As many as have room when labels stand beside each other, or above each other.
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
