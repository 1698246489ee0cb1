// SPDX-License-Identifier: MIT
/// The overlay as it is drawn, at five sizes of window and four of text: every letter lies in the
/// window and within the panel that it belongs to, and none lies over another.
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/fly/drawn_text.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/overlay.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

using std::chrono::microseconds;

struct WrittenScreen {
  float width, height;
};

std::ostream& operator<<(std::ostream& out, const WrittenScreen& s) {
  return out << s.width << "x" << s.height;
}

/// Some frames of a busy flight, with numbers as wide as a long one makes them.
struct BusyFlight {
  UiState ui;
  engine::FrameHistory history;
  FrameStatistics statistics;
  ShownNumbers numbers;

  BusyFlight() {
    for (std::uint64_t i = 1; i <= 60; ++i) {
      engine::FrameProfile frame;
      frame.frame = i;
      frame.simTime = 1234.5 + 0.02 * static_cast<double>(i);
      frame.target = microseconds(33333);
      frame.budget = microseconds(12345);
      frame.spent = microseconds(23456);
      frame.motion = frame.broad = frame.narrow = frame.response = microseconds(5678);
      frame.render = microseconds(38888);
      frame.frameTime = microseconds(68888);
      frame.missed = frame.exhausted = true;
      frame.pairsBroad = 45;
      frame.pairsNarrow = 36;
      frame.sphereTests = frame.triangleTests = 34567;
      frame.collisions.fill(9);
      frame.touching = 12;
      frame.touchesEnded = frame.responses = 19;
      frame.worstBound = frame.medianBound = 0.1234;
      frame.detections = frame.detectionsSkipped = 120;
      history.push(frame);
      statistics.add(frame);
    }
    numbers = numbersOf(history, statistics);
  }

  [[nodiscard]] OverlayView view() const {
    OverlayView view;
    view.ui = &ui;
    view.frames.history = &history;
    view.frames.numbers = &numbers;
    view.flight.method = "sphere-tree + bsp";
    view.flight.tree = "octree + variational";
    view.flight.broad = "space-time-grid";
    view.flight.sceneName = "lamps";
    view.flight.camera = "chase";
    view.flight.seed = 123456;
    view.flown = true;
    view.frames.softwareRenderer = "llvmpipe";
    return view;
  }
};

/// The share of the smaller one that lies under the other.
float overlap(const Rect& a, const Rect& b) {
  const float wide = std::min(a.right(), b.right()) - std::max(a.x, b.x);
  const float high = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
  if (wide <= 0.0f || high <= 0.0f) return 0.0f;
  return wide * high / std::min(a.width * a.height, b.width * b.height);
}

/// The panels of a flight, drawn with that type.
void drawPanels(const BusyFlight& flight, Overlay& overlay) {
  float scroll = 0.0f;
  HoverSpots spots;
  Toasts toasts;
  overlay.drawPanels(Ink(&spots), flight.view());
  (void)overlay.drawOver(flight.view(), toasts, scroll, spots);
}

/// The words of a large screen on which frames have been flown.
std::string wordsAfter(std::span<const engine::FrameProfile> frames) {
  BusyFlight flight;
  flight.history.clear();
  flight.statistics = FrameStatistics();
  for (const engine::FrameProfile& frame : frames) {
    flight.history.push(frame);
    flight.statistics.add(frame);
  }
  flight.numbers = numbersOf(flight.history, flight.statistics);
  const DrawnText type(3840.0f, 2160.0f, 1.0f);
  Overlay overlay;
  (void)overlay.place(flight.view());
  drawPanels(flight, overlay);
  return type.text();
}

class EveryText : public testing::TestWithParam<std::tuple<WrittenScreen, float>> {};

TEST_P(EveryText, LiesWholeInItsPanelAndOverNoOther) {
  const auto& [screen, scale] = GetParam();
  for (const OverlayMode mode : {OverlayMode::Full, OverlayMode::Compact})
    for (const bool era : {false, true}) {
      BusyFlight flight;
      flight.ui.view.overlay = mode;
      flight.ui.detection.eraMode = flight.ui.pace.paused = era;
      flight.ui.detection.budget.eraScale = 250.0;
      const DrawnText type(screen.width, screen.height, scale);
      Overlay overlay;
      const std::span<const Ground> grounds = overlay.place(flight.view());
      drawPanels(flight, overlay);
      const std::vector<Rect> letters = type.letters();
      ASSERT_GT(letters.size(), 30u);
      for (std::size_t i = 0; i < letters.size(); ++i) {
        const Rect& letter = letters[i];
        const auto panel = std::ranges::find_if(
            grounds, [&](const Ground& ground) { return overlap(ground.rect, letter) > 0.5f; });
        ASSERT_NE(panel, grounds.end()) << letter.x << ", " << letter.y;
        EXPECT_GE(letter.x, panel->rect.x) << "at height " << letter.y;
        EXPECT_GE(letter.y, panel->rect.y) << "at " << letter.x;
        EXPECT_LE(letter.right(), panel->rect.right()) << "at height " << letter.y;
        EXPECT_LE(letter.bottom(), panel->rect.bottom()) << "at " << letter.x;
        for (std::size_t k = 0; k < i; ++k)
          EXPECT_LT(overlap(letter, letters[k]), 0.4f) << letter.x << ", " << letter.y;
      }
    }
}

/// Every time of the legend is that of the phase that it stands beside.
TEST(FrameLegend, HasEachPhasesOwnTime) {
  using engine::FrameProfile;
  const std::array<std::pair<const char*, FrameProfile::Duration FrameProfile::*>, 9> phases{
      {{"input", &FrameProfile::input},
       {"motion", &FrameProfile::motion},
       {"broad", &FrameProfile::broad},
       {"narrow", &FrameProfile::narrow},
       {"response", &FrameProfile::response},
       {"render", &FrameProfile::render},
       {"swap", &FrameProfile::swap},
       {"other", &FrameProfile::other},
       {"slack", &FrameProfile::slack}}};
  FrameProfile frame;
  frame.frame = 1;
  frame.target = frame.frameTime = microseconds(50000);
  for (std::size_t i = 0; i < phases.size(); ++i)
    frame.*phases[i].second = microseconds(1230 + 1010 * static_cast<int>(i));
  const std::string words = wordsAfter(std::span(&frame, 1));
  std::string legend;
  for (const auto& [name, time] : phases) {
    std::string value = formatTime(std::chrono::duration<double, std::milli>(frame.*time).count());
    std::erase(value, ' ');
    legend += name + value;
  }
  EXPECT_NE(words.find(legend), std::string::npos) << legend << " in\n" << words;
}

/// Names at the end of the curves stand from the longest time down to the shortest.
TEST(FrameStrip, NamesEachCurveAtTheHeightOfItsOwnTime) {
  using engine::FrameProfile;
  struct Named {
    std::string name;
    FrameProfile::Duration FrameProfile::*time;
  };
  std::vector<Named> curves{{"slack", &FrameProfile::slack},
                            {"render", &FrameProfile::render},
                            {"detect", &FrameProfile::narrow}};
  std::ranges::sort(curves, {}, &Named::name);
  do {
    std::array<FrameProfile, 2> frames;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      frames[i].frame = i + 1;
      frames[i].target = frames[i].frameTime = std::chrono::microseconds(40000);
      int time = 9000;
      for (const Named& curve : curves) {
        frames[i].*curve.time = std::chrono::microseconds(time);
        time /= 30;
      }
    }
    const std::string words = wordsAfter(frames);
    std::string names = "frame";
    for (const Named& curve : curves) names += curve.name;
    EXPECT_NE(words.find(names), std::string::npos) << names << " in\n" << words;
  } while (std::ranges::next_permutation(curves, {}, &Named::name).found);
}

TEST(InkText, TakesAnEmptyText) {
  const DrawnText type(640.0f, 360.0f, 1.0f);
  const Ink ink;
  const std::string_view none;
  EXPECT_EQ(none.data(), nullptr);
  EXPECT_EQ(ink.textWidth(none), 0.0f);
  EXPECT_EQ(ink.paragraphSize(none, 100.0f).x, 0.0f);
  ink.text({10.0f, 10.0f}, none);
  ink.textRight({10.0f, 10.0f}, none, palette::text);
  ink.paragraph({10.0f, 10.0f}, none, 100.0f);
  BuildProgress progress;
  drawLoading(ink, 640.0f, 360.0f, "lamps", progress, 0.0);
  EXPECT_NE(type.text().find("lamps"), std::string::npos);
}

/// The least window, with every panel that a mode adds.
TEST(SmallWindow, OverprintsNothing) {
  static const std::vector<std::uint32_t> collisions(10);
  static const std::vector<GhostApart> course(30);
  for (int mode = 0; mode < 6; ++mode) {
    BusyFlight flight;
    OverlayView view = flight.view();
    BuildProgress progress;
    if (mode == 1)
      view.modes.run = RunView{34.5, 1234, 3, 2, "a hit: −300, the gap was 2.3 cm", {6, 15000}};
    if (mode == 2) view.modes.replay = ReplayView{3, 10, collisions};
    if (mode == 3) view.modes.ghost = GhostView{{1.0, 2.0}, course, 0};
    if (mode == 4) view.build = {"variational trees", &progress, 3.0};
    if (mode == 5) {
      const HalfView half{"left", "sphere-tree, octree + variational", "no limit", &flight.numbers,
                          12.3};
      view.modes.halves = {half, half};
    }
    const DrawnText type(640.0f, 360.0f, 1.0f);
    Overlay overlay;
    const std::span<const Ground> grounds = overlay.place(view);
    float scroll = 0.0f;
    HoverSpots spots;
    Toasts toasts;
    overlay.drawPanels(Ink(&spots), view);
    (void)overlay.drawOver(view, toasts, scroll, spots);
    const std::vector<Rect> letters = type.letters();
    ASSERT_GT(letters.size(), 30u);
    for (std::size_t i = 0; i < letters.size(); ++i) {
      EXPECT_TRUE(std::ranges::any_of(
          grounds, [&](const Ground& ground) { return overlap(ground.rect, letters[i]) > 0.95f; }))
          << mode << ": " << letters[i].x << ", " << letters[i].y;
      for (std::size_t k = 0; k < i; ++k)
        EXPECT_LT(overlap(letters[i], letters[k]), 0.4f)
            << mode << ": " << letters[i].x << ", " << letters[i].y;
    }
    // Both halves count
    if (mode != 5) continue;
    std::string text = type.text();
    int counters = 0;
    for (std::size_t at = text.find("late"); at != std::string::npos;
         at = text.find("late", at + 1))
      ++counters;
    EXPECT_EQ(counters, 2) << text;
  }
}

TEST(HelpPage, BeginsWithFiveKeysAndFindsWhatIsTyped) {
  const std::vector<PageGroup> all = helpGroups();
  ASSERT_GT(all.size(), 5u);
  EXPECT_EQ(all[0].rows.size(), 5u);
  for (const PageRow& row : all[0].rows)
    EXPECT_EQ(std::ranges::count(row.left, ' '), 0) << "one key a row: " << row.left;
  const auto rows = [](const std::vector<PageGroup>& groups) {
    std::size_t count = 0;
    for (const PageGroup& group : groups) count += group.rows.size();
    return count;
  };
  const std::vector<PageGroup> found = helpGroups("SPHERES");
  EXPECT_GT(rows(found), 1u);
  EXPECT_LT(rows(found), rows(all) / 3);
  for (const PageGroup& group : found) EXPECT_FALSE(group.rows.empty());
  EXPECT_TRUE(helpGroups("no such words").empty());
}

TEST(SmallWindow, KeepsTheCountsOfContacts) {
  for (const bool small : {false, true}) {
    const DrawnText type(small ? 600.0f : 1280.0f, small ? 380.0f : 720.0f, 1.0f);
    BusyFlight flight;
    flight.ui.pace.paused = true;
    Overlay overlay;
    (void)overlay.place(flight.view());
    drawPanels(flight, overlay);
    EXPECT_EQ(overlay.areaOf(Panel::Levels).shown(), !small);
    for (const char* count : {"PAUSED", "touching", small ? "contacts" : "Collisions"})
      EXPECT_NE(type.text().find(count), std::string::npos) << count << ", small: " << small;
  }
}

class PairInspector : public testing::Test {
 protected:
  PairInspector() { view.ui = &ui; }
  /// All that the panel says, without blanks.
  std::string says() {
    const DrawnText type(1280.0f, 720.0f, 1.0f);
    drawPairInspector(Ink(), {0.0f, 0.0f, 300.0f, 200.0f}, view);
    return type.text();
  }
  bool says(std::string_view words) { return says().find(words) != std::string::npos; }

  UiState ui;
  OverlayView view;
  PairReport& pair = view.pair.emplace();
};

/// Of an instant before, a distance says nothing against a bound.
TEST_F(PairInspector, SaysInWordsWhereABoundIsBroken) {
  pair.inBroadPhase = true;
  pair.refinement.verdict = Verdict::Possible;
  pair.refinement.separationBound = 0.1;
  pair.truth.emplace().distance.upper = 0.2;
  for (const bool now : {true, false}) {
    pair.truthIsOfNow = now;
    EXPECT_EQ(says("BEYONDTHEBOUND"), now);
  }
}

/// A contact that only the reference finds is an error of the flying method.
TEST_F(PairInspector, SaysInWordsWhenAContactWasMissed) {
  pair.inBroadPhase = true;
  for (const Verdict own : {Verdict::Separate, Verdict::Possible, Verdict::Contact})
    for (const Verdict reference : {Verdict::Separate, Verdict::Contact}) {
      pair.refinement.verdict = own;
      pair.reference.emplace().verdict = reference;
      const bool missed = own == Verdict::Separate && reference == Verdict::Contact;
      EXPECT_EQ(says("MISSED"), missed);
    }
}

/// What meets now has a contact instead of a time.
TEST_F(PairInspector, SaysHowDeepAContactIs) {
  ContactManifold& manifold = pair.truth.emplace().manifold;
  EXPECT_TRUE(says("canmeet"));
  manifold.points.resize(3);
  manifold.points[0].depth = 0.012;
  EXPECT_TRUE(says("3points,1.20cmdeep"));
  EXPECT_FALSE(says("canmeet"));
  manifold.points.resize(1);
  manifold.points[0].depth = -0.003;
  EXPECT_TRUE(says("1point,gap0.30cm"));
  manifold.depthKnown = false;
  EXPECT_TRUE(says("1point,depthunknown"));
}

TEST_F(PairInspector, CallsApartWhatWasLookedAt) {
  EXPECT_TRUE(says("boundingspheresapart"));
  pair.looked = false;
  EXPECT_TRUE(says("notlookedat"));
  pair.looked = true;
  pair.wait = Wait{0.0, 3};
  EXPECT_TRUE(says("waitingfor3detections"));
}

INSTANTIATE_TEST_SUITE_P(
    Screens, EveryText,
    testing::Combine(testing::Values(WrittenScreen{800, 500}, WrittenScreen{1024, 600},
                                     WrittenScreen{1280, 720}, WrittenScreen{1920, 1080},
                                     WrittenScreen{3840, 2160}),
                     testing::Values(0.75f, 1.0f, 1.4f, 2.0f)));

}  // namespace
}  // namespace nearmiss::app::fly
