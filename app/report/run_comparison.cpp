// SPDX-License-Identifier: MIT
#include "report/run_sections.h"

#include <engine/record/series.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/axis.h"
#include "report/html.h"
#include "report/plot.h"
#include "report/record.h"
#include "report/statistics.h"

namespace nearmiss::app::report {
namespace {

using Times = std::vector<double> ProfileData::*;

/// The mean time of one run and its difference from that of the first run, each with a confidence
/// interval by resampling.
struct RunMean {
  std::size_t frames = 0;
  double mean = 0.0;
  std::optional<Interval> interval;
  double difference = 0.0;
  std::optional<Interval> differenceInterval;
};

std::vector<RunMean> meansOf(const RunGroup& runs, Times times) {
  std::vector<RunMean> means;
  std::vector<double> firstResamples;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::vector<double>& values = runs[i]->*times;
    BootstrapSettings settings;
    settings.seed = i + 1;
    std::vector<double> resamples = resampledMeans(values, settings);
    RunMean mean;
    mean.frames = values.size();
    mean.mean = engine::summarise(values).mean;
    mean.interval = interval95(resamples);
    if (i == 0) {
      firstResamples = std::move(resamples);
    } else {
      mean.difference = mean.mean - means.front().mean;
      // Runs are independent, so any pairing of their resamples is valid
      const bool both = !resamples.empty() && !firstResamples.empty();
      for (std::size_t k = 0; both && k < resamples.size(); ++k) resamples[k] -= firstResamples[k];
      if (both) mean.differenceInterval = interval95(std::move(resamples));
    }
    means.push_back(mean);
  }
  return means;
}

/// With enough digits to distinguish the ends.
std::string intervalText(const std::optional<Interval>& interval, const char* sign = "") {
  if (!interval) return "too few frames";
  const auto number = [sign](double value, int digits) {
    return fmt::format(fmt::runtime(fmt::format("{{:{}.{}g}}", sign, digits)), value);
  };
  constexpr int fewest = 4, most = 9;
  int digits = fewest;
  while (digits < most && interval->low < interval->high &&
         number(interval->low, digits) == number(interval->high, digits))
    ++digits;
  return fmt::format("{} to {}", number(interval->low, digits), number(interval->high, digits));
}

HtmlTable meanTable(const RunGroup& runs, const std::vector<RunMean>& means,
                    std::string_view quantity) {
  HtmlTable table;
  table.caption = fmt::format("Mean {} time in milliseconds, and its difference from \"{}\"",
                              quantity, runs.front()->name);
  for (const char* name : {"run", "frames", "mean", "95 % interval", "difference",
                           "95 % interval of it", "in percent"})
    table.headings.push_back({name, ""});
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunMean& mean = means[i];
    std::vector<std::string> row{runs[i]->name, fmt::format("{}", mean.frames),
                                 shortNumber(mean.mean), intervalText(mean.interval)};
    if (i == 0) {
      row.insert(row.end(), 3, "");
    } else {
      row.push_back(fmt::format("{:+.4g}", mean.difference));
      row.push_back(intervalText(mean.differenceInterval, "+"));
      row.push_back(means[0].mean > 0.0
                        ? fmt::format("{:+.1f} %", 100.0 * mean.difference / means[0].mean)
                        : "");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Plot meanPlot(const RunGroup& runs, const std::vector<RunMean>& means, std::string_view quantity) {
  Plot plot;
  plot.title = fmt::format("Mean {} time", quantity);
  plot.says = fmt::format("The mean {} time of each run; whiskers are 95 % intervals", quantity);
  plot.xLabel = "run";
  plot.yLabel = "milliseconds";
  PlotSeries series;
  series.name = "mean";
  series.mark = PlotMark::Bars;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    plot.categories.push_back(runs[i]->name);
    PlotPoint point{static_cast<double>(i), means[i].mean};
    if (means[i].interval) {
      point.low = means[i].interval->low;
      point.high = means[i].interval->high;
    }
    series.points.push_back(point);
  }
  plot.series.push_back(std::move(series));
  return plot;
}

Plot distributionsPlot(const RunGroup& runs, Times times, std::string_view quantity) {
  Plot plot;
  plot.title = fmt::format("Distribution of {} times", quantity);
  plot.says =
      fmt::format("Share of frames whose {} time is at most a given time, for each run", quantity);
  plot.xLabel = "milliseconds";
  plot.yLabel = "share of frames";
  plot.logX = true;
  for (std::size_t i = 0; i < runs.size(); ++i)
    plot.series.push_back(distributionSeries(runs[i]->name, runs[i]->*times, i));
  return plot;
}

}  // namespace

std::vector<RunGroup> comparableRuns(std::span<const ProfileData> runs) {
  std::vector<RunGroup> groups;
  for (const ProfileData& run : runs) {
    if (run.frameMs.empty()) continue;
    const auto takes = [&run](const RunGroup& group) {
      return !whyNotComparable(group.front()->name, group.front()->head, run.name, run.head);
    };
    const auto at = std::find_if(groups.begin(), groups.end(), takes);
    if (at == groups.end())
      groups.push_back({&run});
    else
      at->push_back(&run);
  }
  return groups;
}

namespace {

/// "detection takes 12.3 % longer than in "a" (+10.1 to +14.5 µs)", or that the difference is not
/// significant.
std::string differenceText(const RunMean& first, const RunMean& mean, std::string_view quantity,
                           std::string_view name) {
  const auto& interval = mean.differenceInterval;
  if (!interval)
    return fmt::format("{} does not compare with \"{}\": too few frames", quantity, name);
  if (first.mean <= 0.0)
    return fmt::format("{} does not compare with \"{}\", which took no time for it", quantity,
                       name);
  if (interval->low <= 0.0 && interval->high >= 0.0)
    return fmt::format("{} does not differ significantly from \"{}\"", quantity, name);
  const double percent = 100.0 * mean.difference / first.mean;
  return fmt::format("{} takes {:.1f} % {} than in \"{}\" ({} ms, 95 % interval)", quantity,
                     std::abs(percent), percent > 0.0 ? "longer" : "less", name,
                     intervalText(interval, "+"));
}

}  // namespace

std::vector<std::string> foundIn(const RunGroup& runs) {
  const std::vector<RunMean> detection = meansOf(runs, &ProfileData::detectionMs);
  std::vector<std::string> found;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const ProfileData& run = *runs[i];
    const engine::SeriesSummary frame = engine::summarise(run.frameMs);
    const double missed = 100.0 * static_cast<double>(run.missed) /
                          static_cast<double>(std::max<std::size_t>(run.frameMs.size(), 1));
    std::string sentence = fmt::format(
        "\"{}\": {} frames of {} ms in the mean, {} at most; {:.1f} % missed the target; detection "
        "took {} ms in the mean",
        run.name, run.frameMs.size(), shortNumber(frame.mean), shortNumber(frame.max), missed,
        shortNumber(detection[i].mean));
    if (i > 0)
      sentence +=
          "; " + differenceText(detection[0], detection[i], "detection", runs.front()->name);
    found.push_back(sentence + ".");
  }
  return found;
}

std::string comparisonHtml(const RunGroup& runs) {
  const std::vector<RunMean> frame = meansOf(runs, &ProfileData::frameMs);
  const std::vector<RunMean> detection = meansOf(runs, &ProfileData::detectionMs);
  const BootstrapSettings settings;
  std::string text = paragraphHtml(fmt::format(
      "The times of neighbouring frames depend on each other, so the intervals are from a "
      "circular block bootstrap: {} resamples of blocks of {} frames, seeded. If the "
      "interval of a difference does not contain 0, chance does not explain the difference. "
      "Intervals need at least {} frames.",
      settings.resamples, settings.block, minBlocks * settings.block));
  text += tableHtml(meanTable(runs, frame, "frame"));
  text += tableHtml(meanTable(runs, detection, "detection"));
  return text + "<div class=\"figures\">\n" + figureHtml(meanPlot(runs, frame, "frame")) +
         figureHtml(meanPlot(runs, detection, "detection")) +
         figureHtml(distributionsPlot(runs, &ProfileData::frameMs, "frame")) +
         figureHtml(distributionsPlot(runs, &ProfileData::detectionMs, "detection")) + "</div>\n";
}

}  // namespace nearmiss::app::report
