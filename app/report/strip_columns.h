// SPDX-License-Identifier: MIT
/// A series of frames of any length as few columns: of each column the least, mean and greatest.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace nearmiss::app {

/// Of one quantity over the frames of a column.
struct ColumnRange {
  double least = 0.0, greatest = 0.0, sum = 0.0;
  std::size_t count = 0;  ///< 0: nothing was measured

  void add(double value);
  void add(const ColumnRange& other);
  [[nodiscard]] std::optional<double> mean() const;
};

/// What the strip shows of consecutive frames; milliseconds.
struct StripColumn {
  double firstFrame = 0.0;
  std::size_t frames = 0;
  ColumnRange frame, detection, target, budget, slack;

  void add(const StripColumn& next);
};

class StripColumns {
 public:
  static constexpr std::size_t most = 640;  ///< columns

  /// One frame.
  void add(const StripColumn& frame);
  [[nodiscard]] const std::vector<StripColumn>& columns() const noexcept { return columns_; }
  [[nodiscard]] std::size_t framesPerColumn() const noexcept { return framesPerColumn_; }

 private:
  std::vector<StripColumn> columns_;
  std::size_t framesPerColumn_ = 1;
};

}  // namespace nearmiss::app
