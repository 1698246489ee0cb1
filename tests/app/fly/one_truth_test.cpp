// SPDX-License-Identifier: MIT
/// Every number that stands in two places of the screen, read from the screen and compared, frame
/// by frame: in six scenes, late and early, paused, in 1995 mode and replayed.
#include <engine/scene/scene.h>
#include <gtest/gtest.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "app/fly/drawn_text.h"
#include "app/fly/quick_lamps.h"
#include "app/fly/read_figures.h"
#include "fly/command/actions.h"
#include "fly/flight_context.h"
#include "fly/overlay/panels.h"
#include "fly/view/contact_look.h"
#include "support/files.h"
#include "support/patterns.h"

namespace nearmiss::app::fly {
namespace {

using engine::FrameProfile;

struct Seen {
  const char* scene;
};
std::ostream& operator<<(std::ostream& out, const Seen& seen) { return out << seen.scene; }

class OneTruth : public testing::TestWithParam<Seen> {
 protected:
  OneTruth() {
    ::setenv("XDG_DATA_HOME", folder.path().c_str(), 1);
    auto scene = engine::readScene(*engine::findScene(GetParam().scene));
    EXPECT_TRUE(scene.has_value());
    for (auto& group : scene->drones) group.count = std::min(group.count, 30);
    loaded = quickScene(*std::move(scene));
    context.ui.pages.controls = false;
  }
  ~OneTruth() override { ::unsetenv("XDG_DATA_HOME"); }

  void flyLive() {
    auto begun = Flight::begin(loaded);
    ASSERT_TRUE(begun.has_value());
    context.flightManager.flight().emplace(*std::move(begun));
  }
  void flyRecorded() {
    const auto file = folder / "flown.session";
    auto session = std::make_shared<engine::SessionWriter>();
    auto flown = Flight::begin(loaded, nullptr, session);
    ASSERT_TRUE(flown && session->startFile(file));
    engine::FrameInput input;
    input.dt = input.detectStep = 1.0 / 60.0;
    input.detectionBudget = std::chrono::microseconds(40);
    for (int frame = 0; frame < 250; ++frame) (void)flown->advance(input);
    ASSERT_TRUE(session->close());
    auto player = playerOf(file, loaded.shapes);
    ASSERT_TRUE(player.has_value());
    (void)context.flightManager.replay(*std::move(player));
  }

  /// A turn of the loop on a machine that takes `slow` times a sixtieth of a second.
  void turn(double slow) {
    FrameTimes& times = context.times;
    times.advanced = false;
    for (Mode* mode : context.modes.all())
      if (mode->advance(context)) break;
    if (!times.advanced) return;
    FrameProfile frame = times.profile;
    const double target = 1e6 * context.flight().scene().frameMs;
    const auto share = [&](double least, double most) {
      return FrameProfile::Duration(std::llround(target * slow * random.between(least, most)));
    };
    frame.target = targetOf(context.flight());
    frame.input = share(0.001, 0.01);
    frame.render = share(0.4, 0.6);
    frame.swap = share(0.01, 0.02);
    frame.other = share(0.001, 0.02);
    const auto work = frame.input + frame.motion + frame.broad + frame.narrow + frame.response +
                      frame.render + frame.swap + frame.other;
    frame.slack = std::max(FrameProfile::Duration{}, frame.target - work);
    frame.frameTime = work + frame.slack + frame.watching;
    frame.missed = work + frame.slack > frame.target + frame.target / 100;
    late += frame.missed;
    times.profile = frame;
    times.history.push(frame);
    times.statistics.add(frame);
  }

  /// Draws the panels, and reads what is beside each name.
  void read() {
    text.next();
    spots.clear();
    wall += 1.0 / 60.0;
    context.times.started -= std::chrono::milliseconds(17);
    view = describeScreen(context, false);
    (void)overlay.place(view);
    float scroll = 0.0f;
    overlay.drawPanels(Ink(&spots), view);
    (void)overlay.drawOver(view, toasts, scroll, spots);
    const std::vector<DrawnText::Letter> letters = text.drawn();
    panel.clear();
    levels.clear();
    for (const HoverSpot& spot : spots.all()) {
      const std::string words = DrawnText::textIn(spot.rect, letters);
      if (spot.name == "collisions of a level") levels.push_back(words);
      panel[spot.name].push_back(words);
    }
    table.clear();
    for (const PageGroup& group : numberGroups(view, *view.frames.numbers))
      // Two phases are named as the methods are that work in them
      for (const PageRow& row : group.rows)
        table.emplace(row.left, plain(row.right)),
            table[group.heading + ", " + row.left] = plain(row.right);
  }

  /// What stands after the name in the place of that name, in the place-th of several.
  std::string after(const std::string& name, const std::string& words, std::size_t place = 0) {
    if (panel[name].size() <= place) return "missing";
    const std::string& all = panel[name][place];
    const std::size_t at = all.find(plain(words));
    return at == std::string::npos ? "missing" : all.substr(at + plain(words).size());
  }

  void compare(const char* what, const std::string& one, const std::string& other) {
    ++compared[what];
    if (figureOf(one).agrees(figureOf(other)) && one != "missing" && other != "missing") return;
    ++differences;
    ADD_FAILURE() << what << ": " << one << " beside " << other << ", frame "
                  << view.frames.numbers->frame.frame;
  }
  void compareWords(const char* what, const std::string& one, const std::string& other) {
    ++compared[what];
    if (one == other && one != "missing") return;
    ++differences;
    ADD_FAILURE() << what << ": \"" << one << "\" beside \"" << other << "\"";
  }

  void compareFrame();
  void compareBudget();
  void compareStatistics();
  void compareFlight();
  void comparePairs();
  void compareAll() {
    read();
    compareFrame();
    compareBudget();
    compareStatistics();
    compareFlight();
    comparePairs();
  }

  test::TemporaryFolder folder;
  Options options;
  LoadedScene loaded;
  FlightContext context{options, {}};
  SplitMix random{11};
  DrawnText text{2400.0f, 1200.0f, 1.0f};
  Overlay overlay;
  HoverSpots spots;
  Toasts toasts;
  OverlayView view;
  double wall = 0.0;
  int late = 0, differences = 0;
  std::map<std::string, std::vector<std::string>> panel;
  std::vector<std::string> levels;
  std::map<std::string, std::string> table;
  std::map<std::string, int> compared;
};

void OneTruth::compareFrame() {
  if (!view.frames.numbers->measured) return;
  // The header, the chip on the bar, the legend, the status bar, the table
  const std::string header = after("Frame", "Frame");
  const std::size_t of = header.find("of");
  ASSERT_NE(of, std::string::npos) << header;
  const std::string frame = header.substr(0, of), target = header.substr(of + 2);
  compare("frame time", frame, table["frame"]);
  compare("target", target, table["target"]);
  compare("target in the status bar", after("target", "target"), table["target"]);
  for (const char* phase : {"input", "motion", "response", "render", "swap", "other", "slack"})
    compare("a phase", after(phase, phase), table[phase]);
  compare("broad phase", after("broad", "broad"), table["Time of this frame, broad phase"]);
  compare("narrow phase", after("narrow", "narrow"), table["Time of this frame, narrow phase"]);

  const auto chip = test::Pattern("([0-9.]+)xtarget").group(after("frame bar", ""));
  compareWords("missed", chip ? "yes" : "no", table["missed the target"]);
  if (!chip) return;
  const Figure times = figureOf(*chip), ms = figureOf(table["frame"]),
               wanted = figureOf(table["target"]);
  ++compared["multiple of the target"];
  const bool agrees = times.low * wanted.low <= ms.high && ms.low <= times.high * wanted.high;
  differences += !agrees;
  EXPECT_TRUE(agrees) << *chip << " times " << table["target"] << ", frame " << table["frame"];
}

void OneTruth::compareBudget() {
  if (!view.frames.numbers->measured) return;
  const std::string used = after("budget used", "budget used");
  const std::string status = after("budget", "budget:");
  const std::vector<Control> all = controls(context);
  const auto control = std::ranges::find(all, "time allowed", &Control::name);
  ASSERT_NE(control, all.end());
  const std::string bar = after("detection bar", "detection");
  if (const std::size_t of = bar.find("of"); bar.find("allowed") != std::string::npos) {
    compare("allowed", bar.substr(bar.rfind("of") + 2), table["allowed"]);
    compare("spent", bar.substr(0, of), table["spent"]);
    if (const std::size_t share = used.find("%of"); share != std::string::npos) {
      compare("allowed, in the panel", used.substr(share + 3), table["allowed"]);
      const double part = figureOf(table["spent"]).high / figureOf(table["allowed"]).low;
      const double least = figureOf(table["spent"]).low / figureOf(table["allowed"]).high;
      ++compared["share of the budget"];
      const bool agrees =
          figureOf(used).low <= 100.0 * part && figureOf(used).high >= 100.0 * least;
      differences += !agrees;
      EXPECT_TRUE(agrees) << used << ": " << table["spent"] << " of " << table["allowed"];
    }
    compare("time allowed, in the controls", plain(control->value), table["allowed"]);
    // A fixed one is the same wherever it stands
    if (status != "auto" && !context.ui.pace.paused)
      compare("allowed, in the status bar", status, table["allowed"]);
    if (!view.frames.numbers->instant.countedWork)
      compare("detection", after("detect", "detect"), bar.substr(0, of));
  } else {
    compareWords("the rule, in the panel", used, status);
    compareWords("the rule, in the table", table["allowed"], status);
    compareWords("the rule, in the controls", plain(control->value), status);
    EXPECT_NE(bar.find(status), std::string::npos) << bar;
    compare("detection", after("detect", "detect"), bar.substr(0, bar.find(',')));
  }
}

void OneTruth::compareStatistics() {
  for (const char* name : {"p50", "p99", "max"}) {
    if (!view.frames.numbers->measured) continue;
    compare("a percentile", after(name, name, 0), after(name, name, 1));
  }
  const std::string mean = table["frame, mean ± sd"];
  if (view.frames.numbers->since.frames > 0) {
    compare("mean", after("mean", "mean"), mean);
    compare("mean detection", after("detection", "detection", 0), table["detection, mean ± sd"]);
  }
  compare("p99.9", after("p99.9", "p99.9"), table["frame p99.9"]);
  const Figure longest = figureOf(after("max", "max", 0));
  for (const char* name : {"p50", "p95", "p99", "p99.9"}) {
    const Figure percentile = figureOf(after(name, name));
    if (percentile.dash) continue;
    EXPECT_LE(percentile.low, longest.high) << name;
    ++compared["percentiles and maximum"];
  }
  compare("frames measured", after("frames since reset", "Since reset"), table["frames measured"]);
  for (const char* name : {"touching now", "bounces", "contacts ended"})
    compare("a count", after(name, name), table[name]);
  for (const char* name : {"pairs tested", "pairs waiting", "BV tests", "triangle tests"})
    compare("a count of work", after(name, name), table[name]);
  for (const char* name : {"worst bound", "median bound"})
    compare("a bound of the last frames", after(name, name), table[name]);
  compareWords("frames of the plot", after("Last frames", "Last frames"),
               plain(std::to_string(view.frames.numbers->runningFrames) +
                     (view.frames.numbers->runningFrames == 1 ? " frame" : " frames")));
  compare("budget exhausted", after("budget exhausted", "budget exhausted"),
          table["budget exhausted"]);
  compare("detector calls", after("detector calls", "detector calls"), table["detector calls"]);
}

void OneTruth::compareFlight() {
  compare("simulated time", after("simulated time", "t"), table["simulated time"]);
  const std::string speed = after("speed", "");
  compareWords("pace", speed.substr(0, speed.find(",fixed")), table["pace"]);
  compare("seed", after("restart with a new seed", "seed"), table["seed"]);
  compareWords("method", after("detector", ""), table["Flight, narrow phase"]);
  // A detection that lies ahead is not over
  if (const std::string next = table["next detection at"]; next != "duenow") {
    ++compared["next detection"];
    EXPECT_GE(figureOf(next).high, figureOf(table["simulated time"]).low) << next;
  }
  // What a frame counts, the frames up to it count as well
  const std::string begun = table["contacts begun, worst bound"];
  if (const std::size_t comma = begun.find(','); comma != std::string::npos) {
    ++compared["contacts of a frame"];
    EXPECT_LE(figureOf(begun.substr(comma)).low, figureOf(table["worst bound"]).high) << begun;
  }
  if (context.ui.detection.levelCap <= engine::exactDepth) {
    const std::vector<Control> all = controls(context);
    const auto control = std::ranges::find(all, "level cap", &Control::name);
    compareWords("level cap", after("level cap", "level cap"),
                 plain(control->options[control->chosen].name));
  }
  if (const auto& replay = view.modes.replay) {
    const std::string bar = after("replay", "frame ");
    compare("frame of the replay", bar,
            std::to_string(view.frames.numbers->instant.replayed.value_or(0)));
    EXPECT_LE(figureOf(bar).low, static_cast<double>(replay->frames));
  }
  const std::string earliest = after("earliest possible contact", "earliest possible contact");
  if (earliest.starts_with("in")) {
    const Figure in = figureOf(earliest), now = figureOf(table["simulated time"]);
    const bool due = table["next detection at"] == "duenow";
    const Figure at = due ? now : figureOf(table["next detection at"]);
    ++compared["earliest contact"];
    // Where ships may touch within a step, the next detection is at its end
    const bool agrees = in.low <= at.high - now.low;
    differences += !agrees;
    EXPECT_TRUE(agrees) << earliest << ", next detection at " << table["next detection at"]
                        << ", now " << table["simulated time"];
  }
}

void OneTruth::comparePairs() {
  // The levels, and all of them
  ASSERT_EQ(levels.size(), static_cast<std::size_t>(engine::exactDepth));
  double begun = 0.0;
  for (int level = 1; level <= engine::exactDepth; ++level) {
    const std::string name(engine::nameOfDepth(level));
    const auto row = std::ranges::find_if(
        table, [&](const auto& entry) { return entry.first.starts_with(name + ", last frames"); });
    ASSERT_NE(row, table.end());
    std::string both = row->second;
    const std::size_t comma = both.find(',');
    compareWords("a level", levels[static_cast<std::size_t>(level - 1)].substr(plain(name).size()),
                 both.substr(0, comma) + both.substr(comma + 1));
    begun += figureOf(both.substr(comma + 1)).low + 0.5;
  }
  ++compared["contacts begun"];
  EXPECT_EQ(begun, figureOf(table["contacts begun"]).low + 0.5);
  // Whenever one is counted one can be looked at
  if (view.frames.numbers->frame.touching == 0 || !view.frames.numbers->measured) return;
  ++compared["a contact that is counted"];
  const auto contact = contactAfter(context.flight(), {});
  EXPECT_TRUE(contact && contact->kind != ContactToShow::Kind::Earliest);
}

TEST_P(OneTruth, NoNumberDiffersFromItselfElsewhere) {
  flyLive();
  UiState& ui = context.ui;
  for (int frame = 0; frame < 200; ++frame) {
    // Early, late by turns, paused and stepped, in 1995 mode, without a limit
    ui.pace.paused = frame >= 80 && frame < 100;
    ui.pace.pendingSteps = ui.pace.paused && frame % 3 == 0 ? 1 : 0;
    ui.detection.eraMode = frame >= 100 && frame < 150;
    ui.detection.budget.eraScale = 250.0;
    ui.detection.budget.kind = frame < 20    ? BudgetKind::Unlimited
                               : frame < 125 ? BudgetKind::Auto
                                             : BudgetKind::Fixed;
    ui.detection.budget.fixed = std::chrono::microseconds(frame < 150 ? 4437 : 57);
    ui.detection.levelCap = frame < 150 ? Detector::noLevelCap : 1 + frame / 10 % 5;
    turn(frame < 40 ? 0.5 : frame < 80 ? 0.8 + 0.05 * (frame - 40) : frame % 3 == 0 ? 4.0 : 1.2);
    compareAll();
  }
  EXPECT_EQ(differences, 0);
  EXPECT_GT(late, 40);
  for (const char* what : {"frame time", "multiple of the target", "spent", "pace", "a level",
                           "level cap", "allowed, in the status bar", "the rule, in the panel"})
    EXPECT_GT(compared[what], 10) << what;
}

TEST_P(OneTruth, NorWithOtherMethods) {
  flyLive();
  UiState& ui = context.ui;
  std::set<std::string> methods;
  for (int frame = 0; frame < 150; ++frame) {
    if (frame == 50 || frame == 100) apply(context, Action::NextMethod);
    for (int wait = 0; wait < 2000 && context.flightManager.worker().busy(); ++wait) {
      if (const auto change = context.flightManager.poll()) context.show(*change);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ui.detection.budget.kind = frame % 50 < 30 ? BudgetKind::Auto : BudgetKind::Fixed;
    ui.detection.budget.fixed = std::chrono::microseconds(frame % 2 ? 1 : 300);
    turn(frame % 50 < 25 ? 0.5 : 2.5);
    compareAll();
    methods.insert(after("detector", ""));
  }
  EXPECT_EQ(differences, 0);
  EXPECT_GE(methods.size(), 2u);
  EXPECT_GT(compared["a count of work"], 400);
}

TEST_P(OneTruth, NorInAReplay) {
  flyRecorded();
  UiState& ui = context.ui;
  for (int frame = 0; frame < 200; ++frame) {
    ui.pace.paused = frame >= 120 && frame < 150;
    ui.pace.pendingSteps = ui.pace.paused ? (frame < 130 ? 1 : -1) : 0;
    turn(frame % 50 < 25 ? 0.5 : 2.5);
    compareAll();
  }
  EXPECT_EQ(differences, 0);
  EXPECT_GT(late, 10);
  for (const char* what : {"frame of the replay", "the rule, in the panel", "pace"})
    EXPECT_GT(compared[what], 100) << what;
}

INSTANTIATE_TEST_SUITE_P(Scenes, OneTruth,
                         testing::Values(Seen{"lamps"}, Seen{"chase"}, Seen{"crowd"},
                                         Seen{"joints"}, Seen{"mixed"}, Seen{"trucks"}),
                         [](const auto& seen) { return std::string(seen.param.scene); });

}  // namespace
}  // namespace nearmiss::app::fly
