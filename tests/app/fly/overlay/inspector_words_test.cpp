// SPDX-License-Identifier: MIT
/// The rows of the pair inspector, for every state of a pair.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/fly/drawn_text.h"
#include "app/fly/read_figures.h"
#include "console/text.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

class InspectedPair : public testing::Test {
 protected:
  InspectedPair() {
    view.ui = &ui;
    pair.shapeA = "lamp";
    pair.keyA = 3;
    pair.shapeB = "star";
    pair.keyB = 14;
    pair.centreDistance = 2.5;
    pair.radius = 0.4;
    pair.horizon = 1.5;
    pair.refinement.separationBound = 0.1;
    pair.refinement.separationEstimate = 0.04;
    pair.refinement.collidingSpheres = 17;
    pair.refinement.level = 2;
    pair.refinement.stage = Stage::Spheres;
  }
  /// What stands beside a name; "missing" without the row.
  std::string row(const std::string& name) {
    const DrawnText text(1280.0f, 720.0f, 1.0f);
    HoverSpots spots;
    drawPairInspector(Ink(&spots), {10.0f, 10.0f, 500.0f, 260.0f}, view);
    for (const HoverSpot& spot : spots.all())
      if (spot.name == name) {
        const std::string words = DrawnText::textIn(spot.rect, text.drawn());
        EXPECT_EQ(words.find(plain(name)), 0u) << words;
        return words.substr(plain(name).size());
      }
    return "missing";
  }
  [[nodiscard]] static bool draws(Rgb colour) {
    for (const ImDrawVert& vertex : ImGui::GetBackgroundDrawList()->VtxBuffer)
      if ((vertex.col & 0xffffffu) == (Ink::colour(colour) & 0xffffffu)) return true;
    return false;
  }
  bool warns(Rgb colour) {
    const DrawnText text(1280.0f, 720.0f, 1.0f);
    drawPairInspector(Ink(), {10.0f, 10.0f, 500.0f, 260.0f}, view);
    return draws(colour);
  }

  UiState ui;
  OverlayView view;
  PairReport& pair = view.pair.emplace();
};

TEST_F(InspectedPair, HasItsNamesAndDistances) {
  EXPECT_EQ(row("Pair"), "lamp3,star14");
  pair.unimportant = true;
  EXPECT_EQ(row("Pair"), "lamp3,star14,unimportant");
  EXPECT_EQ(row("centres apart"), plain(gapText(2.5)));
  EXPECT_EQ(row("can meet"), "notwithin1.5s");
  pair.meeting = 0.75;
  EXPECT_EQ(row("can meet"), "in0.75s");
  pair.meeting = 0.0;
  EXPECT_EQ(row("can meet"), "now");
  // A broad phase without a result has neither bound nor estimate
  EXPECT_EQ(row("verdict"), "boundingspheresapart");
  EXPECT_EQ(row("estimate"), "missing");
}

TEST_F(InspectedPair, HasVerdictBoundAndEstimate) {
  pair.inBroadPhase = true;
  pair.refinement.verdict = Verdict::Possible;
  EXPECT_EQ(row("verdict"), "L2possible");
  EXPECT_EQ(row("surfaces apart at most"), plain(gapText(0.1) + " = 25.0 %"));
  EXPECT_EQ(row("estimate"), plain(gapText(0.04)));
  EXPECT_EQ(row("sphere pairs"), "17");
  pair.refinement.conservative = false;
  pair.refinement.betweenSolids = true;
  EXPECT_EQ(row("surfaces apart at most"), "missing");
  EXPECT_EQ(row("solids apart at most"), plain("~ " + gapText(0.1) + " = 25.0 %"));
  pair.refinement.separationBound = std::numeric_limits<double>::infinity();
  EXPECT_EQ(row("solids apart at most"), plain("~ no bound"));
  pair.refinement.verdict = Verdict::Separate;
  for (const char* name : {"solids apart at most", "estimate", "sphere pairs"})
    EXPECT_EQ(row(name), "?") << name;
  EXPECT_EQ(row("verdict"), "L2separate");
  pair.refinement.verdict = Verdict::Contact;
  pair.refinement.stage = Stage::Exact;
  EXPECT_EQ(row("verdict"), "exactcontact");
  pair.refinement.byInnerSpheres = true;
  EXPECT_EQ(row("verdict"), "exactcontact,byinnerspheres");
  // The tightest bound replaces the spheres
  pair.truth.emplace().tightestBound = 0.031;
  EXPECT_EQ(row("tightest bound"), plain(gapText(0.031)));
  EXPECT_EQ(row("sphere pairs"), "missing");
  pair.refinement.verdict = Verdict::Separate;
  EXPECT_EQ(row("tightest bound"), "missing");
}

TEST_F(InspectedPair, HasTheTrueDistance) {
  EXPECT_EQ(row("true distance"), "whenpaused");
  ui.pace.paused = true;
  EXPECT_EQ(row("true distance"), "...");
  PairTruth& truth = pair.truth.emplace();
  truth.distance.upper = 0.25;
  EXPECT_EQ(row("true distance"), plain(gapText(0.25)));
  truth.contact.reached = true;
  truth.contact.noContactBefore = 1.5;
  EXPECT_EQ(row("true distance"), plain(gapText(0.25) + "; contact in 1.50 s"));
  truth.distance.upper = 0.0;
  EXPECT_EQ(row("true distance"), "touching");
  truth.penetration.emplace().upper = 0.02;
  EXPECT_EQ(row("true distance"), plain("overlapping; " + gapText(0.02) + " to separate"));
}

/// Only a distance of this instant against a bound of a pair that was tested says something.
TEST_F(InspectedPair, WarnsWhereABoundIsBroken) {
  pair.inBroadPhase = true;
  pair.refinement.verdict = Verdict::Possible;
  pair.truth.emplace().distance.upper = 0.1;
  EXPECT_EQ(row("true distance"), plain(gapText(0.1))) << "as large as the bound";
  EXPECT_FALSE(warns(palette::overrun));
  pair.truth->distance.upper = 0.1 * (1.0 + 5e-10);
  EXPECT_FALSE(warns(palette::overrun)) << "rounding";
  pair.truth->distance.upper = 0.1001;
  EXPECT_EQ(row("true distance"), plain(gapText(0.1001) + ", BEYOND THE BOUND"));
  EXPECT_TRUE(warns(palette::overrun));
  pair.refinement.verdict = Verdict::Separate;
  EXPECT_FALSE(warns(palette::overrun));
  pair.refinement.verdict = Verdict::Possible;
  pair.inBroadPhase = false;
  EXPECT_FALSE(warns(palette::overrun));
}

TEST_F(InspectedPair, HasTheTimesOfTheLastLevelAndTheNext) {
  EXPECT_EQ(row("time to level"), "missing");
  PairTimes& times = pair.truth.emplace().times.emplace();
  const auto level = [&](std::array<double, engine::exactDepth> each) {
    times.level = each;
    return row("time to level");
  };
  EXPECT_EQ(level({0.0, 0.0, 0.0, 0.0, 0.0}), "L1notreached");
  EXPECT_EQ(level({0.3, 0.0, 0.0, 0.0, 0.0}), "L10.3us,L2notreached");
  EXPECT_EQ(level({0.3, 0.9, 2.5, 0.0, 0.0}), "L32.5us,L4notreached");
  EXPECT_EQ(level({0.3, 0.9, 2.5, 9.1, 0.0}), "L49.1us,exactnotreached");
  EXPECT_EQ(level({0.3, 0.9, 2.5, 9.1, 20.0}), "L49.1us,exact20us");
  EXPECT_EQ(row("time by BSP trees"), "missing") << "not measured";
  times.reference = 40.0;
  EXPECT_EQ(row("time by BSP trees"), "40us=2.0x");
  times.level = {0.3, 0.0, 0.0, 0.0, 0.0};
  EXPECT_EQ(row("time by BSP trees"), "40us=133.3x");
  times.level = {};
  EXPECT_EQ(row("time by BSP trees"), "40us");
  // The reference says it itself
  pair.reference.emplace().verdict = Verdict::Contact;
  EXPECT_EQ(row("time by BSP trees"), "missing");
  EXPECT_EQ(row("reference says"), "contact,40us");
  pair.truth.reset();
  EXPECT_EQ(row("reference says"), "contact");
  pair.reference->verdict = Verdict::Separate;
  EXPECT_EQ(row("reference says"), "separate");
  EXPECT_FALSE(warns(palette::overrun));
  pair.inBroadPhase = true;
  pair.refinement.verdict = Verdict::Separate;
  pair.reference->verdict = Verdict::Contact;
  EXPECT_EQ(row("reference says"), "contact,MISSED");
  EXPECT_TRUE(warns(palette::overrun));
}

TEST_F(InspectedPair, HasTheContactOfTouchingShips) {
  ContactManifold& manifold = pair.truth.emplace().manifold;
  manifold.points.resize(2);
  manifold.points[0].depth = 0.0;
  EXPECT_EQ(row("contact"), plain("2 points, " + gapText(0.0) + " deep"));
  manifold.points[0].depth = -0.01;
  EXPECT_EQ(row("contact"), plain("2 points, gap " + gapText(0.01)));
  EXPECT_EQ(row("can meet"), "missing");
  EXPECT_EQ(contactWords({}, true, gapText), "none");
}

/// The rows stay where they are while the pair is tested or not.
TEST_F(InspectedPair, KeepsItsRowsInPlace) {
  const auto places = [&] {
    const DrawnText text(1280.0f, 720.0f, 1.0f);
    HoverSpots spots;
    drawPairInspector(Ink(&spots), {10.0f, 10.0f, 500.0f, 260.0f}, view);
    std::map<std::string, float> found;
    for (const HoverSpot& spot : spots.all()) found[spot.name] = spot.rect.y;
    return found;
  };
  const auto apart = places();
  pair.inBroadPhase = true;
  const auto tested = places();
  for (const char* name : {"centres apart", "verdict", "true distance"})
    EXPECT_FLOAT_EQ(apart.at(name), tested.at(name)) << name;
  const float line = lineHeight * 15.0f;
  EXPECT_NEAR(tested.at("centres apart") - tested.at("Pair"), line, 0.1f);
  EXPECT_NEAR(tested.at("true distance") - tested.at("verdict"), 3.0f * line, 0.1f);
}

/// Texts too long for a row use smaller type.
TEST_F(InspectedPair, UsesSmallerTypeWhereARowIsFull) {
  pair.inBroadPhase = true;
  pair.refinement.betweenSolids = true;
  const auto heightOf = [&](float wide) {
    const DrawnText text(1280.0f, 720.0f, 2.0f);
    HoverSpots spots;
    drawPairInspector(Ink(&spots), {10.0f, 10.0f, wide, 500.0f}, view);
    float most = 0.0f;
    for (const HoverSpot& spot : spots.all())
      if (spot.name == "solids apart at most")
        for (const auto& letter : text.drawn())
          if (letter.rect.y > spot.rect.y && letter.rect.bottom() < spot.rect.bottom())
            most = std::max(most, letter.rect.height);
    return most;
  };
  const float large = heightOf(900.0f), small = heightOf(480.0f);
  EXPECT_LT(small, 0.95f * large);
  EXPECT_GT(small, 0.7f * large);
}

/// The verdict stands beside the chip of its level, at the right.
TEST_F(InspectedPair, HasItsVerdictBesideItsLevel) {
  pair.inBroadPhase = true;
  const DrawnText text(1280.0f, 720.0f, 2.0f);
  HoverSpots spots;
  drawPairInspector(Ink(&spots), {10.0f, 10.0f, 900.0f, 500.0f}, view);
  const auto row = std::ranges::find(spots.all(), "verdict", &HoverSpot::name);
  ASSERT_NE(row, spots.all().end());
  const Rect chip = text.shapes(levelColour(2)).front();
  EXPECT_NEAR(chip.right(), row->rect.right(), 1.5f);
  float right = 0.0f;
  for (const auto& letter : text.drawn())
    if (letter.rect.y > row->rect.y && letter.rect.bottom() < row->rect.bottom() &&
        letter.rect.right() < chip.x)
      right = std::max(right, letter.rect.right());
  EXPECT_NEAR(chip.x - right, 0.5f * textSize(), 0.2f * textSize());
}

}  // namespace
}  // namespace nearmiss::app::fly
