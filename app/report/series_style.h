// SPDX-License-Identifier: MIT
/// Distinguishes series by colour and always also by dashes, shape or hatching.
#pragma once

#include <string>

#include "report/plot.h"

namespace nearmiss::app::report {

inline constexpr std::size_t seriesColours = 8;

/// CSS classes of a line or mark in a series' colour.
[[nodiscard]] std::string lineClasses(const PlotSeries& series);
[[nodiscard]] std::string markClasses(const PlotSeries& series);

/// More marks would hide the line.
inline constexpr std::size_t maxMarks = 60;
[[nodiscard]] bool hasMarks(const PlotSeries& series) noexcept;

/// The SVG path of a mark around a point.
[[nodiscard]] std::string markPath(const PlotSeries& series, double x, double y, double radius);

/// Attributes that fill a bar.
[[nodiscard]] std::string barFill(const PlotSeries& series);

/// The CSS colours and bar hatchings of the page.
[[nodiscard]] std::string seriesStyleSheet();
[[nodiscard]] std::string hatchings();
/// The style sheet of a separate drawing: light and without CSS variables, which few viewers
/// support.
[[nodiscard]] std::string plainStyleSheet();

/// A small picture for the legend.
[[nodiscard]] std::string swatch(const PlotSeries& series);
[[nodiscard]] std::string ruleSwatch(std::size_t index);
/// CSS classes of the line of a rule.
[[nodiscard]] std::string ruleClasses(std::size_t index);

}  // namespace nearmiss::app::report
