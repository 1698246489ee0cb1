// SPDX-License-Identifier: MIT
/// How series are told apart: by colour, and always by dashes, shape or hatching as well.
#pragma once

#include <string>

#include "report/plot.h"

namespace nearmiss::app::report {

inline constexpr std::size_t seriesColours = 8;

/// Classes of a stroke or mark in a series' colour; the style sheet has them.
[[nodiscard]] std::string lineClasses(const PlotSeries& series);
[[nodiscard]] std::string markClasses(const PlotSeries& series);

/// More marks would hide the line.
inline constexpr std::size_t maxMarks = 60;
[[nodiscard]] bool hasMarks(const PlotSeries& series) noexcept;

/// The path of a mark around a point.
[[nodiscard]] std::string markPath(const PlotSeries& series, double x, double y, double radius);

/// Attributes that fill a bar.
[[nodiscard]] std::string barFill(const PlotSeries& series);

/// What the page defines once for all of them: the colours, and the hatchings of bars.
[[nodiscard]] std::string seriesStyleSheet();
[[nodiscard]] std::string hatchings();
/// The style sheet of a drawing on its own, light, without variables: few viewers know these.
[[nodiscard]] std::string plainStyleSheet();

/// A small picture for a legend.
[[nodiscard]] std::string swatch(const PlotSeries& series);
[[nodiscard]] std::string ruleSwatch(std::size_t index);
/// Classes of the stroke of a rule.
[[nodiscard]] std::string ruleClasses(std::size_t index);

}  // namespace nearmiss::app::report
