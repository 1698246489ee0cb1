// SPDX-License-Identifier: MIT
#include <engine/flight/depth.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <utility>

#include "console/gap_text.h"
#include "fly/host/key_map.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app {
namespace {

using engine::FrameProfile;

std::string words(std::string_view line) { return std::string(line); }

std::string duration(FrameProfile::Duration d) {
  if (d == FrameProfile::Duration::max()) return "no limit";
  return fmt::format("{:.3f} ms", std::chrono::duration<double, std::milli>(d).count());
}

constexpr std::array phases{std::pair{"input", &FrameProfile::input},
                            std::pair{"motion", &FrameProfile::motion},
                            std::pair{"broad phase", &FrameProfile::broad},
                            std::pair{"narrow phase", &FrameProfile::narrow},
                            std::pair{"response", &FrameProfile::response},
                            std::pair{"render", &FrameProfile::render},
                            std::pair{"swap", &FrameProfile::swap},
                            std::pair{"other", &FrameProfile::other},
                            std::pair{"slack", &FrameProfile::slack}};

constexpr std::array bodies{std::pair{"ships", &FrameProfile::ships},
                            std::pair{"pairs, broad phase", &FrameProfile::pairsBroad},
                            std::pair{"pairs not separate", &FrameProfile::pairsNarrow},
                            std::pair{"pairs that wait", &FrameProfile::pairsPostponed}};

constexpr std::array work{std::pair{"refinement steps", &FrameProfile::steps},
                          std::pair{"sphere tests", &FrameProfile::sphereTests},
                          std::pair{"triangle tests", &FrameProfile::triangleTests}};

PageGroup timeGroup(const FrameProfile& f) {
  PageGroup group{"Time of the frame", {}};
  for (const auto& [name, time] : phases) group.rows.push_back({name, duration(f.*time)});
  group.rows.push_back({"frame", duration(f.frameTime - f.watching)});
  group.rows.push_back({"reference, outside the frame", duration(f.watching)});
  group.rows.push_back({"target", duration(f.target)});
  return group;
}

PageGroup budgetGroup(const FrameProfile& f, const ShownNumbers& shown) {
  const auto rest = f.frameTime - f.watching - f.slack - f.broad - f.narrow;
  return {"Budget",
          {{"rest, predicted", duration(f.predictedRest)},
           {"rest, measured", duration(rest)},
           {"mean error of prediction", fmt::format("{:.3f} ms", shown.predictionError)},
           {"allowed", duration(f.budget)},
           {"spent", duration(f.spent)}}};
}

PageGroup workGroup(const FrameProfile& f) {
  PageGroup group{"Work", {}};
  for (const auto& [name, count] : bodies)
    group.rows.push_back({name, words(formatCount(f.*count))});
  for (const auto& [name, count] : work) group.rows.push_back({name, words(formatCount(f.*count))});
  group.rows.push_back({"ran out of budget", f.exhausted ? "yes" : "no"});
  group.rows.push_back({"missed the target", f.missed ? "yes" : "no"});
  group.rows.push_back({"worst bound", gapText(f.worstBound)});
  group.rows.push_back({"median bound", gapText(f.medianBound)});
  return group;
}

PageGroup sinceGroup(const FrameStatistics& since, const ShownNumbers& shown) {
  return {"Since reset",
          {{"frames measured", words(formatCount(since.frames))},
           {"frame, mean, sd",
            fmt::format("{:.3f}  {:.3f} ms", since.frameTime.mean(), since.frameTime.sd())},
           {"detection, mean, sd",
            fmt::format("{:.3f}  {:.3f} ms", since.detection.mean(), since.detection.sd())},
           {"detection, max", fmt::format("{:.3f} ms", since.detection.max())},
           {"frame p99.9", words(formatTime(shown.p99_9))},
           {"calls of the detector", words(formatCount(since.detections))},
           {"silences, calls spared", words(formatCount(since.detectionsSkipped))},
           {"missed by the driver", words(formatCount(since.missedContacts))}}};
}

PageGroup collisionGroup(const FrameStatistics& since, const ShownNumbers& shown) {
  const auto begun = std::accumulate(shown.total.begin(), shown.total.end(), std::uint64_t{0});
  PageGroup group{"Collisions",
                  {{"touching now", words(formatCount(shown.last.touching))},
                   {"begun since reset", words(formatCount(begun))},
                   {"ended since reset", words(formatCount(since.touchesEnded))},
                   {"responses since reset", words(formatCount(since.responses))}}};
  for (std::size_t level = 1; level < shown.total.size(); ++level)
    group.rows.push_back(
        {fmt::format("{}, {} frames, total", engine::nameOfDepth(static_cast<int>(level)),
                     shown.runningFrames),
         fmt::format("{}  {}", shown.running[level], words(formatCount(shown.total[level])))});
  return group;
}

PageGroup settingGroup(const OverlayView& view, const ShownNumbers& shown) {
  PageGroup group{"Flight",
                  {{"narrow phase", words(view.method)},
                   {"trees", words(view.tree)},
                   {"broad phase", words(view.broad)},
                   {"scene", words(view.sceneName)},
                   {"seed", fmt::format("{}", view.seed)},
                   {"simulated time", fmt::format("{:.2f} s", shown.last.simTime)},
                   {"pace", fmt::format("x{:.2f}, {:.0f} Hz", shown.pace.rate, shown.pace.hertz)},
                   {"next detection at", fmt::format("{:.2f} s", shown.last.nextDetection)},
                   {"camera", words(view.camera)}}};
  if (view.pair)
    group.rows.push_back(
        {"picked pair", fmt::format("{} {}, {} {}", view.pair->shapeA, view.pair->keyA,
                                    view.pair->shapeB, view.pair->keyB)});
  return group;
}

}  // namespace

std::vector<PageGroup> numberGroups(const OverlayView& view, const ShownNumbers& shown) {
  const FrameProfile& f = shown.last;
  return {timeGroup(f),
          budgetGroup(f, shown),
          workGroup(f),
          collisionGroup(*view.statistics, shown),
          sinceGroup(*view.statistics, shown),
          settingGroup(view, shown)};
}

void drawNumbersTable(const Ink& ink, float width, float height, const OverlayView& view,
                      const ShownNumbers& shown, float& scroll) {
  const Line title("Frame {}", shown.last.frame);
  const Line hint("{} or {} closes", localKeyName(Action::Numbers), localKeyName(Action::Back));
  drawPage(ink, width, height, numberGroups(view, shown), PageStyle::Figures, title, hint, scroll);
}

}  // namespace nearmiss::app
