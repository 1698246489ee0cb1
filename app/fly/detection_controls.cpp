// SPDX-License-Identifier: MIT
#include <engine/flight/depth.h>
#include <fmt/format.h>
#include <nearmiss/sphere_tree_builder.h>

#include <algorithm>
#include <iterator>

#include "fly/controls.h"
#include "fly/detection_budget.h"
#include "fly/detection_choice.h"
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

std::vector<ControlTable::Row> ControlTable::methodRows() {
  return {
      {of(Kind::Choice, Detection, "detector",
          "How contacts are found: step by step with spheres, at once with planes, or by both.",
          {NextMethod}),
       [](FlightContext& context, Control& control) {
         offer(control,
               {{"sphere tree", "Coarse answers first, finer ones while time lasts."},
                {"BSP tree", "The exact answer in one step, however long it takes."},
                {"both", "The spheres fly; the planes watch, and tell what is missed."}},
               static_cast<std::size_t>(context.changeover.wantedMethod()));
       },
       [](FlightContext& context, std::size_t option) {
         wantMethod(context, static_cast<Method>(option));
       }},
      {of(Kind::Choice, Detection, "narrow phase",
          "How two ships that are near each other are compared.", {NextNarrowPhase}),
       [](FlightContext& context, Control& control) {
         offer(control, stepwisePhases(), context.flight().narrowPhase());
       },
       [](FlightContext& context, std::size_t option) {
         wantNarrowPhase(context, stepwisePhases()[option]);
       }},
      {of(Kind::Choice, Detection, "broad phase",
          "How pairs are found that may touch at all, so that the others cost nothing.",
          {NextBroadPhase}),
       [](FlightContext& context, Control& control) {
         offer(control, broadPhaseCatalog(), context.flight().broadPhase());
       },
       [](FlightContext& context, std::size_t option) {
         wantBroadPhase(context, broadPhaseCatalog()[option]);
       }},
      {of(Kind::Choice, Detection, "trees",
          "How the spheres of each model were made; others are built while you fly on.",
          {NextTree}),
       [](FlightContext& context, Control& control) {
         offer(control, sphereTreeBuilderCatalog(), context.changeover.wantedTrees().tree);
       },
       [](FlightContext& context, std::size_t option) {
         engine::Scene wanted = context.changeover.wantedTrees();
         wanted.tree = sphereTreeBuilderCatalog()[option].name;
         wantTrees(context, wanted);
       }},
      {of(Kind::Switch, Detection, "boxes",
          "Where a sphere fits badly, a box beside it tells sooner that nothing touches."),
       [](FlightContext& context, Control& control) {
         control.on = engine::treeSettings(context.changeover.wantedTrees()).nodeBoxRatio > 0.0;
       },
       [](FlightContext& context, std::size_t) {
         engine::Scene wanted = context.changeover.wantedTrees();
         const bool on = engine::treeSettings(wanted).nodeBoxRatio > 0.0;
         wanted.nodeBoxRatio = on ? 0.0 : engine::defaultNodeBoxRatio;
         wantTrees(context, wanted);
       }},
      {of(Kind::Switch, Detection, "inner spheres",
          "Spheres inside of each solid: where two of them meet, contact is proven early."),
       [](FlightContext& context, Control& control) {
         control.on = engine::treeSettings(context.changeover.wantedTrees()).innerSpheres > 0;
       },
       [](FlightContext& context, std::size_t) {
         engine::Scene wanted = context.changeover.wantedTrees();
         const bool on = engine::treeSettings(wanted).innerSpheres > 0;
         wanted.innerSpheres = on ? 0 : static_cast<int>(engine::defaultInnerSpheres);
         wantTrees(context, wanted);
       }},
      {of(Kind::Choice, Detection, "order", "Which pair of ships is looked at more closely next.",
          {NextOrder}),
       [](FlightContext& context, Control& control) {
         offer(control, refinementOrderCatalog(), entryOf(context.ui.order).name);
       },
       [](FlightContext& context, std::size_t option) {
         context.ui.order = refinementOrderCatalog()[option].order;
         context.say("order",
                     fmt::format("order of refinement: {}; {}", entryOf(context.ui.order).name,
                                 entryOf(context.ui.order).summary));
       }},
      {of(Kind::Choice, Detection, "response", "What happens to ships that touch.", {NextResponse}),
       [](FlightContext& context, Control& control) {
         for (const std::string_view name : engine::responseNames)
           control.options.push_back({std::string(name), responseWords(engine::responseOf(name))});
         control.chosen = static_cast<std::size_t>(context.ui.response);
       },
       [](FlightContext& context, std::size_t option) {
         context.ui.response = static_cast<engine::Response>(option);
         context.say("response", fmt::format("response: {}", responseWords(context.ui.response)));
       }},
      {of(Kind::Switch, Detection, "as published", "The papers' own trees and technique, and back.",
          {AsPublished}),
       [](FlightContext& context, Control& control) {
         control.on = context.flight().scene().asPublished;
       }}};
}

std::vector<ControlTable::Row> ControlTable::budgetRows() {
  return {{of(Kind::Choice, Detection, "level cap",
              "How fine detection may go: from one sphere for all of a ship down to its triangles.",
              {CapNone, Cap1, Cap2, Cap3, Cap4, Cap5}),
           [](FlightContext& context, Control& control) {
             control.options.push_back({"none", "As fine as time allows."});
             for (int level = 1; level <= engine::exactDepth; ++level)
               control.options.push_back({std::string(engine::nameOfDepth(level)), {}});
             control.chosen = context.ui.levelCap > engine::exactDepth ? 0
                              : context.ui.levelCap > 0
                                  ? static_cast<std::size_t>(context.ui.levelCap)
                                  : Control::none;
           },
           [](FlightContext& context, std::size_t option) {
             context.ui.levelCap = option == 0 ? Detector::noLevelCap : static_cast<int>(option);
           }},
          {of(Kind::Choice, Detection, "budget",
              "How long detection may take in each frame before it must answer with what it has."),
           [](FlightContext& context, Control& control) {
             offer(control,
                   {{"no limit", "Detection always ends, however late the frame is."},
                    {"auto", "What the rest of the frame is expected to leave of its target."},
                    {"fixed", "Always the same time, set below."}},
                   static_cast<std::size_t>(context.ui.budgetMode));
           },
           [](FlightContext& context, std::size_t option) {
             const auto mode = static_cast<BudgetMode>(option);
             if (mode == BudgetMode::Fixed)
               fixBudget(context.ui, automaticBudget(context));
             else
               context.ui.budgetMode = mode;
           }},
          {of(Kind::Scale, Detection, "time allowed",
              "The budget of a frame; pulling the handle fixes it. The scale is logarithmic.",
              {BudgetDown, BudgetUp}),
           [](FlightContext& context, Control& control) {
             const bool fixed = context.ui.budgetMode == BudgetMode::Fixed;
             const bool bounded = context.ui.budgetMode != BudgetMode::Unlimited;
             const Clock::Duration time = fixed     ? context.ui.fixedBudget
                                          : bounded ? automaticBudget(context)
                                                    : maxBudget;
             control.place = bounded ? placeOfBudget(time) : 1.0;
             const double ms = std::chrono::duration<double, std::milli>(time).count();
             control.value = bounded ? formatTime(ms) : "no limit";
           }},
          {of(Kind::Switch, Detection, "1995 mode",
              "Divides the budget, as if the machine were one of that year.", {EraMode}),
           readSwitch<&UiState::eraMode>}};
}

}  // namespace nearmiss::app
