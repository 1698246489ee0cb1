// SPDX-License-Identifier: MIT
#include <engine/flight/depth.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "console/text.h"
#include "fly/host/input.h"
#include "fly/host/key_map.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

PageGroup groupOf(KeyGroup group) {
  PageGroup page{std::string(groupName(group)), {}};
  for (const Command& command : commands()) {
    const std::string keys = localKeyName(command.action);
    if (command.group != group || (!command.hasDefaultKey() && keys == noKey)) continue;
    page.rows.push_back(
        {keys, std::string(command.sentence.substr(0, command.sentence.size() - 1))});
  }
  if (group == KeyGroup::View) {
    page.rows.push_back({"Wheel", "nearer, farther"});
    page.rows.push_back({"Middle drag", "look around"});
  }
  if (group == KeyGroup::Flight)
    page.rows.push_back({"Left drag", "throw a ship; paused: place it"});
  return page;
}

/// Keys for beginners.
PageGroup firstKeys() {
  using enum Action;
  return {"Five keys to begin with",
          {{firstKeyName(ThrustForward), "thrust forward"},
           {firstKeyName(YawLeft), "turn left"},
           {firstKeyName(YawRight), "turn right"},
           {localKeyName(OpenControls), "control panel: everything by mouse"},
           {localKeyName(Tour), "two-minute tour"}}};
}

bool contains(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

/// Keeps the rows that contain the search text.
void filterGroups(std::vector<PageGroup>& groups, std::string_view search) {
  for (PageGroup& group : groups)
    std::erase_if(group.rows, [&](const PageRow& row) {
      return !contains(row.left, search) && !contains(row.right, search);
    });
  std::erase_if(groups, [](const PageGroup& group) { return group.rows.empty(); });
}

}  // namespace

std::vector<PageGroup> helpGroups(std::string_view search) {
  std::vector<PageGroup> groups;
  if (search.empty()) groups.push_back(firstKeys());
  for (const KeyGroup group : keyGroups) groups.push_back(groupOf(group));
  PageGroup& pad = groups.emplace_back(PageGroup{"Controller", {}});
  for (const PadBinding& binding : padBindings())
    pad.rows.push_back({std::string(binding.name), std::string(binding.text)});
  groups.push_back(introduction());
  if (!search.empty()) filterGroups(groups, search);
  return groups;
}

PageGroup introduction() {
  return {"How to read the screen",
          {{"L1–L4, exact", "ever smaller spheres; exact: the triangles"},
           {"gap", "at most this far apart; may be touching"},
           {"budget", "time for detection; then it must answer"}}};
}

void drawHelp(const Ink& ink, float width, float height, std::string_view search, float& scroll) {
  ink.fill({0.0f, 0.0f, width, height}, palette::black, 0.55f);
  const std::string hint = fmt::format("type to search; {} or {} closes",
                                       localKeyName(Action::Help), localKeyName(Action::Back));
  std::vector<PageGroup> groups = helpGroups(search);
  if (groups.empty()) groups.push_back({"Nothing found", {{"Backspace", "takes a letter back"}}});
  const std::string title =
      search.empty() ? std::string("Keys") : fmt::format("Keys with \"{}\"", search);
  drawPage(ink, width, height, groups, PageStyle::Keys, title, hint, scroll);
}

void drawStick(const Ink& ink, float width, float height, const UiState& ui) {
  const float radius = 0.18f * std::min(width, height);
  const ImVec2 middle(0.5f * width, 0.5f * height);
  const ImVec2 end(middle.x + ui.steering.stick.x * radius,
                   middle.y + ui.steering.stick.y * radius);
  ink.list()->AddCircle(middle, radius, Ink::colour(palette::text, 0.45f), 64, 1.5f);
  ink.list()->AddCircle(middle, 0.1f * radius, Ink::colour(palette::text, 0.45f), 24, 1.0f);
  ink.list()->AddLine(middle, end, Ink::colour(palette::own, 0.8f), 2.0f);
  ink.list()->AddCircleFilled(end, 0.35f * ink.em(), Ink::colour(palette::own), 24);
}

namespace {

using engine::FrameProfile;

std::string words(std::string_view line) { return std::string(line); }

std::string duration(FrameProfile::Duration d) {
  if (d == FrameProfile::Duration::max()) return "no limit";
  return fmt::format("{:.3f} ms", milliseconds(d));
}

constexpr std::array namedPhases{std::pair{"input", &FrameProfile::input},
                                 std::pair{"motion", &FrameProfile::motion},
                                 std::pair{"broad phase", &FrameProfile::broad},
                                 std::pair{"narrow phase", &FrameProfile::narrow},
                                 std::pair{"response", &FrameProfile::response},
                                 std::pair{"render", &FrameProfile::render},
                                 std::pair{"swap", &FrameProfile::swap},
                                 std::pair{"other", &FrameProfile::other},
                                 std::pair{"slack", &FrameProfile::slack}};

constexpr std::array bodies{std::pair{"ships", &FrameProfile::ships},
                            std::pair{"pairs tested", &FrameProfile::pairsBroad},
                            std::pair{"pairs not separate", &FrameProfile::pairsNarrow},
                            std::pair{"pairs waiting", &FrameProfile::pairsPostponed}};

constexpr std::array work{std::pair{"refinement steps", &FrameProfile::steps},
                          std::pair{"BV tests", &FrameProfile::sphereTests},
                          std::pair{"triangle tests", &FrameProfile::triangleTests}};

/// A time of the frame, or a dash if there is no frame.
std::string duration(const ShownNumbers& shown, FrameProfile::Duration d) {
  return shown.measured ? duration(d) : "–";
}

PageGroup timeGroup(const ShownNumbers& shown) {
  const FrameProfile& f = shown.frame;
  PageGroup group{"Time of this frame", {}};
  for (const auto& [name, time] : namedPhases)
    group.rows.push_back({name, duration(shown, f.*time)});
  group.rows.push_back({"frame", duration(shown, f.frameTime - f.watching)});
  group.rows.push_back({"reference, not in the frame", duration(shown, f.watching)});
  group.rows.push_back({"target", duration(shown, f.target)});
  return group;
}

PageGroup budgetGroup(const ShownNumbers& shown) {
  const FrameProfile& f = shown.frame;
  const auto rest = f.frameTime - f.watching - f.slack - f.broad - f.narrow;
  return {"Budget of this frame",
          {{"rest, predicted", duration(shown, f.predictedRest)},
           {"rest, measured", duration(shown, rest)},
           {"allowed", shown.allowed ? duration(f.budget) : shown.instant.budget},
           {"spent", duration(shown, f.spent)}}};
}

PageGroup workGroup(const ShownNumbers& shown) {
  const FrameProfile& f = shown.frame;
  PageGroup group{"Work of this frame", {}};
  const auto began = std::accumulate(f.collisions.begin(), f.collisions.end(), 0u);
  for (const auto& [name, count] : bodies)
    group.rows.push_back({name, words(formatCount(f.*count))});
  for (const auto& [name, count] : work) group.rows.push_back({name, words(formatCount(f.*count))});
  group.rows.push_back({"ran out of budget", f.exhausted ? "yes" : "no"});
  group.rows.push_back({"missed the target", f.missed ? "yes" : "no"});
  group.rows.push_back({"touching now", words(formatCount(f.touching))});
  group.rows.push_back({"contacts begun, worst bound",
                        began > 0 ? fmt::format("{}, {}", began, gapText(f.worstBound)) : "none"});
  return group;
}

/// The frames that the plot shows.
PageGroup runningGroup(const ShownNumbers& shown) {
  return {"Last " + counted(shown.runningFrames, "frame"),
          {{"worst bound", gapText(shown.runningWorst)},
           {"median bound", gapText(shown.runningMedian)},
           {"mean prediction error", fmt::format("{:.3f} ms", shown.predictionError)}}};
}

PageGroup sinceGroup(const ShownNumbers& shown) {
  const FrameStatistics& since = shown.since;
  const auto begun =
      std::accumulate(since.collisions.begin(), since.collisions.end(), std::uint64_t{0});
  return {"Since reset",
          {{"frames measured", words(formatCount(since.frames))},
           {"frame, mean ± sd",
            fmt::format("{:.3f} ± {:.3f} ms", since.frameTime.mean(), since.frameTime.sd())},
           {"detection, mean ± sd",
            fmt::format("{:.3f} ± {:.3f} ms", since.detection.mean(), since.detection.sd())},
           {"detection, max", fmt::format("{:.3f} ms", since.detection.max())},
           {"frame p99.9", timeText(shown.p99_9)},
           {"budget exhausted", words(formatCount(since.exhausted))},
           {"detector calls", words(formatCount(since.detections))},
           {"detector calls skipped", words(formatCount(since.detectionsSkipped))},
           {"contacts begun", words(formatCount(begun))},
           {"contacts ended", words(formatCount(since.touchesEnded))},
           {"bounces", words(formatCount(since.responses))},
           {"contacts missed", words(formatCount(since.missedContacts))}}};
}

PageGroup collisionGroup(const ShownNumbers& shown) {
  PageGroup group{"Collisions by level", {}};
  for (std::size_t level = 1; level < shown.since.collisions.size(); ++level)
    group.rows.push_back({fmt::format("{}, last frames and since reset",
                                      engine::nameOfDepth(static_cast<int>(level))),
                          fmt::format("{}, {}", shown.running[level],
                                      words(formatCount(shown.since.collisions[level])))});
  return group;
}

/// The time of the next detection; one that is due has no later time.
std::string nextDetection(const ShownNumbers& shown) {
  const double next = shown.frame.nextDetection;
  return next > shown.instant.simTime ? fmt::format("{:.2f} s", next) : std::string("due now");
}

PageGroup settingGroup(const OverlayView& view, const ShownNumbers& shown) {
  PageGroup group{"Flight",
                  {{"narrow phase", words(view.flight.method)},
                   {"trees", words(view.flight.tree)},
                   {"broad phase", words(view.flight.broad)},
                   {"scene", words(view.flight.sceneName)},
                   {"seed", fmt::format("{}", view.flight.seed)},
                   {"simulated time", fmt::format("{:.2f} s", shown.instant.simTime)},
                   {"pace", paceText(view, shown)},
                   {"next detection at", nextDetection(shown)},
                   {"camera", words(view.flight.camera)}}};
  if (view.pair)
    group.rows.push_back(
        {"picked pair", fmt::format("{} {}, {} {}", view.pair->shapeA, view.pair->keyA,
                                    view.pair->shapeB, view.pair->keyB)});
  return group;
}

}  // namespace

std::vector<PageGroup> numberGroups(const OverlayView& view, const ShownNumbers& shown) {
  return {timeGroup(shown),      budgetGroup(shown), workGroup(shown),         runningGroup(shown),
          collisionGroup(shown), sinceGroup(shown),  settingGroup(view, shown)};
}

void drawNumbersTable(const Ink& ink, float width, float height, const OverlayView& view,
                      const ShownNumbers& shown, float& scroll) {
  const std::string title =
      fmt::format("Frame {}", shown.instant.replayed.value_or(shown.frame.frame));
  const std::string hint =
      fmt::format("{} or {} closes", localKeyName(Action::Numbers), localKeyName(Action::Back));
  drawPage(ink, width, height, numberGroups(view, shown), PageStyle::Figures, title, hint, scroll);
}

}  // namespace nearmiss::app::fly
