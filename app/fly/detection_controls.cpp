// SPDX-License-Identifier: MIT
#include <engine/flight/depth.h>
#include <fmt/format.h>
#include <nearmiss/tree_builders.h>

#include <algorithm>
#include <iterator>

#include "fly/flight_controls.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app {
namespace {

/// Those that go in steps, without planes.
std::vector<NarrowPhaseEntry> stepwisePhases() {
  std::vector<NarrowPhaseEntry> phases;
  std::ranges::copy_if(narrowPhaseCatalog(), std::back_inserter(phases),
                       [](const NarrowPhaseEntry& entry) { return !entry.needsBspTrees; });
  return phases;
}

}  // namespace

std::vector<FlightLoop::Controls::Row> FlightLoop::Controls::methodRows() {
  return {
      {of(Kind::Choice, Detection, "detector",
          "How contacts are found: step by step with spheres, at once with planes, or by both.",
          {NextMethod}),
       [](Loop loop, Control& control) {
         offer(control,
               {{"sphere tree", "Coarse answers first, finer ones while time lasts."},
                {"BSP tree", "The exact answer in one step, however long it takes."},
                {"both", "The spheres fly; the planes watch, and tell what is missed."}},
               static_cast<std::size_t>(loop.changeover_.wantedMethod()));
       },
       [](Loop loop, std::size_t option) { loop.wantMethod(static_cast<Method>(option)); }},
      {of(Kind::Choice, Detection, "narrow phase",
          "How two ships that are near each other are compared.", {NextNarrowPhase}),
       [](Loop loop, Control& control) {
         offer(control, stepwisePhases(), loop.flight_->narrowPhase());
       },
       [](Loop loop, std::size_t option) { loop.wantNarrowPhase(stepwisePhases()[option]); }},
      {of(Kind::Choice, Detection, "broad phase",
          "How pairs are found that may touch at all, so that the others cost nothing.",
          {NextBroadPhase}),
       [](Loop loop, Control& control) {
         offer(control, broadPhaseCatalog(), loop.flight_->broadPhase());
       },
       [](Loop loop, std::size_t option) { loop.wantBroadPhase(broadPhaseCatalog()[option]); }},
      {of(Kind::Choice, Detection, "trees",
          "How the spheres of each model were made; others are built while you fly on.",
          {NextTree}),
       [](Loop loop, Control& control) {
         offer(control, sphereTreeBuilderCatalog(), loop.changeover_.wantedTrees().tree);
       },
       [](Loop loop, std::size_t option) {
         engine::Scene wanted = loop.changeover_.wantedTrees();
         wanted.tree = sphereTreeBuilderCatalog()[option].name;
         loop.wantTrees(wanted);
       }},
      {of(Kind::Switch, Detection, "boxes",
          "Where a sphere fits badly, a box beside it tells sooner that nothing touches."),
       [](Loop loop, Control& control) {
         control.on = engine::treeSettings(loop.changeover_.wantedTrees()).nodeBoxRatio > 0.0;
       },
       [](Loop loop, std::size_t) {
         engine::Scene wanted = loop.changeover_.wantedTrees();
         const bool on = engine::treeSettings(wanted).nodeBoxRatio > 0.0;
         wanted.nodeBoxRatio = on ? 0.0 : engine::defaultNodeBoxRatio;
         loop.wantTrees(wanted);
       }},
      {of(Kind::Switch, Detection, "inner spheres",
          "Spheres inside of each solid: where two of them meet, contact is proven early."),
       [](Loop loop, Control& control) {
         control.on = engine::treeSettings(loop.changeover_.wantedTrees()).innerSpheres > 0;
       },
       [](Loop loop, std::size_t) {
         engine::Scene wanted = loop.changeover_.wantedTrees();
         const bool on = engine::treeSettings(wanted).innerSpheres > 0;
         wanted.innerSpheres = on ? 0 : static_cast<int>(engine::defaultInnerSpheres);
         loop.wantTrees(wanted);
       }},
      {of(Kind::Choice, Detection, "order", "Which pair of ships is looked at more closely next.",
          {NextOrder}),
       [](Loop loop, Control& control) {
         offer(control, refinementOrderCatalog(), entryOf(loop.ui_.order).name);
       },
       [](Loop loop, std::size_t option) {
         loop.ui_.order = refinementOrderCatalog()[option].order;
         loop.say("order", fmt::format("order of refinement: {}; {}", entryOf(loop.ui_.order).name,
                                       entryOf(loop.ui_.order).summary));
       }},
      {of(Kind::Choice, Detection, "response", "What happens to ships that touch.", {NextResponse}),
       [](Loop loop, Control& control) {
         for (const std::string_view name : engine::responseNames)
           control.options.push_back({std::string(name), responseWords(engine::responseOf(name))});
         control.chosen = static_cast<std::size_t>(loop.ui_.response);
       },
       [](Loop loop, std::size_t option) {
         loop.ui_.response = static_cast<engine::Response>(option);
         loop.say("response", fmt::format("response: {}", responseWords(loop.ui_.response)));
       }},
      {of(Kind::Switch, Detection, "as published", "The papers' own trees and technique, and back.",
          {AsPublished}),
       [](Loop loop, Control& control) { control.on = loop.flight_->scene().asPublished; }}};
}

std::vector<FlightLoop::Controls::Row> FlightLoop::Controls::budgetRows() {
  return {{of(Kind::Choice, Detection, "level cap",
              "How fine detection may go: from one sphere for all of a ship down to its triangles.",
              {CapNone, Cap1, Cap2, Cap3, Cap4, Cap5}),
           [](Loop loop, Control& control) {
             control.options.push_back({"none", "As fine as time allows."});
             for (int level = 1; level <= engine::exactDepth; ++level)
               control.options.push_back({std::string(engine::nameOfDepth(level)), {}});
             control.chosen = loop.ui_.levelCap > engine::exactDepth ? 0
                              : loop.ui_.levelCap > 0 ? static_cast<std::size_t>(loop.ui_.levelCap)
                                                      : Control::none;
           },
           [](Loop loop, std::size_t option) {
             loop.ui_.levelCap = option == 0 ? Detector::noLevelCap : static_cast<int>(option);
           }},
          {of(Kind::Choice, Detection, "budget",
              "How long detection may take in each frame before it must answer with what it has."),
           [](Loop loop, Control& control) {
             offer(control,
                   {{"no limit", "Detection always ends, however late the frame is."},
                    {"auto", "What the rest of the frame is expected to leave of its target."},
                    {"fixed", "Always the same time, set below."}},
                   static_cast<std::size_t>(loop.ui_.budgetMode));
           },
           [](Loop loop, std::size_t option) {
             const auto mode = static_cast<BudgetMode>(option);
             if (mode == BudgetMode::Fixed)
               fixBudget(loop.ui_, loop.automaticBudget());
             else
               loop.ui_.budgetMode = mode;
           }},
          {of(Kind::Scale, Detection, "time allowed",
              "The budget of a frame; pulling the handle fixes it. The scale is logarithmic.",
              {BudgetDown, BudgetUp}),
           [](Loop loop, Control& control) {
             const bool fixed = loop.ui_.budgetMode == BudgetMode::Fixed;
             const bool bounded = loop.ui_.budgetMode != BudgetMode::Unlimited;
             const Clock::Duration time = fixed     ? loop.ui_.fixedBudget
                                          : bounded ? loop.automaticBudget()
                                                    : greatestBudget;
             control.place = bounded ? placeOfBudget(time) : 1.0;
             const double ms = std::chrono::duration<double, std::milli>(time).count();
             control.value = bounded ? std::string(std::string_view(formatTime(ms))) : "no limit";
           }},
          {of(Kind::Switch, Detection, "1995 mode",
              "Divides the budget, as if the machine were one of that year.", {EraMode}),
           readSwitch<&UiState::eraMode>}};
}

}  // namespace nearmiss::app
