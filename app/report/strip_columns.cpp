// SPDX-License-Identifier: MIT
#include "report/strip_columns.h"

#include <algorithm>

namespace nearmiss::app {

void ColumnRange::add(double value) { add(ColumnRange{value, value, value, 1}); }

void ColumnRange::add(const ColumnRange& other) {
  if (other.count == 0) return;
  least = count == 0 ? other.least : std::min(least, other.least);
  greatest = count == 0 ? other.greatest : std::max(greatest, other.greatest);
  sum += other.sum;
  count += other.count;
}

std::optional<double> ColumnRange::mean() const {
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

void StripColumn::add(const StripColumn& next) {
  frames += next.frames;
  frame.add(next.frame);
  detection.add(next.detection);
  target.add(next.target);
  budget.add(next.budget);
  slack.add(next.slack);
}

void StripColumns::add(const StripColumn& frame) {
  if (!columns_.empty() && columns_.back().frames < framesPerColumn_) {
    columns_.back().add(frame);
    return;
  }
  if (columns_.size() == most) {
    // Two columns become one, so that their number never grows beyond `most`
    for (std::size_t i = 0; i < most / 2; ++i) {
      StripColumn joined = columns_[2 * i];
      joined.add(columns_[2 * i + 1]);
      columns_[i] = joined;
    }
    columns_.resize(most / 2);
    framesPerColumn_ *= 2;
  }
  columns_.push_back(frame);
}

}  // namespace nearmiss::app
