// SPDX-License-Identifier: MIT
#include "report/profile_data.h"

#include <cmath>

namespace nearmiss::app {
namespace {

/// Of the columns that are read, in the order of `columnNames`.
enum Column {
  Frame,
  Target,
  Budget,
  Broad,
  Narrow,
  Slack,
  FrameTime,
  Watching,
  Missed,
  Exhausted,
  Level1,
  Count = Level1 + 5
};
constexpr std::array<std::string_view, Count> columnNames{
    "frame",    "target_ms", "budget_ms",   "broad_ms", "narrow_ms",
    "slack_ms", "frame_ms",  "watching_ms", "missed",   "exhausted",
    "coll_l1",  "coll_l2",   "coll_l3",     "coll_l4",  "coll_l5"};

void addFrame(const std::array<double, Count>& row, ProfileData& profile) {
  const double frameMs = row[FrameTime] - row[Watching];
  const double detectionMs = row[Broad] + row[Narrow];
  profile.frameMs.push_back(frameMs);
  profile.detectionMs.push_back(detectionMs);

  StripColumn column;
  column.firstFrame = row[Frame];
  column.frames = 1;
  column.frame.add(frameMs);
  column.detection.add(detectionMs);
  column.target.add(row[Target]);
  column.slack.add(row[Slack]);
  // A frame without a limit has no budget to show
  if (std::isfinite(row[Budget])) column.budget.add(row[Budget]);
  profile.strip.add(column);

  profile.missed += row[Missed] != 0.0;
  profile.exhausted += row[Exhausted] != 0.0;
  for (std::size_t level = 0; level < profile.collisions.size(); ++level)
    profile.collisions[level] += row[Level1 + level];
}

}  // namespace

Result<ProfileData> readProfile(RecordReader reader) {
  const auto places = reader.find(columnNames);
  if (!places) return places.error();
  ProfileData profile;
  profile.file = reader.file();
  profile.head = reader.head();
  for (;;) {
    const auto more = reader.next();
    if (!more) return more.error();
    if (!*more) break;
    std::array<double, Count> row{};
    for (std::size_t i = 0; i < Count; ++i) {
      const auto value = i == Budget ? reader.number((*places)[i]) : reader.finite((*places)[i]);
      if (!value) return value.error();
      row[i] = *value;
    }
    addFrame(row, profile);
  }
  profile.cutShort = reader.cutShort();
  return profile;
}

}  // namespace nearmiss::app
