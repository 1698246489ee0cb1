// SPDX-License-Identifier: MIT
#include <engine/flight/budget.h>
#include <engine/flight/depth.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "fly/choices/detection_budget.h"
#include "fly/choices/detection_choice.h"
#include "fly/command/rows.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

/// In the order of the panel.
constexpr std::array budgetKinds{BudgetKind::Unlimited, BudgetKind::Auto, BudgetKind::Fixed};

/// Incremental narrow phases that need no BSP planes.
std::vector<NarrowPhaseEntry> stepwisePhases() {
  std::vector<NarrowPhaseEntry> phases;
  std::ranges::copy_if(narrowPhaseCatalog(), std::back_inserter(phases),
                       [](const NarrowPhaseEntry& entry) { return !entry.needsBspTrees; });
  return phases;
}

void flipBoxes(FlightContext& context, const Selection&) {
  engine::Scene wanted = context.flightManager.requestedTrees();
  const bool on = engine::treeSettings(wanted).nodeBoxRatio > 0.0;
  wanted.nodeBoxRatio = on ? 0.0 : usualNodeBoxRatio;
  requestTrees(context, wanted);
}

void flipInnerSpheres(FlightContext& context, const Selection&) {
  engine::Scene wanted = context.flightManager.requestedTrees();
  const bool on = engine::treeSettings(wanted).innerSpheres > 0;
  wanted.innerSpheres = on ? 0 : static_cast<int>(usualInnerSpheres);
  requestTrees(context, wanted);
}

template <int level>
void cap(FlightContext& context, const Selection&) {
  context.ui.detection.levelCap = level;
  context.say("cap", level > engine::exactDepth ? "no level cap: as fine as time allows"
                                                : "level cap: " + capText(level));
}

/// One row per level, from level 1 to the triangles.
CommandRow capRow(int level, Action action, std::string_view name, std::string_view title,
                  std::string_view sentence) {
  return CommandRow(KeyGroup::Detection, action, name, title, sentence)
      .key(static_cast<SDL_Scancode>(SDL_SCANCODE_1 + level - 1),
           static_cast<SDL_Scancode>(SDL_SCANCODE_KP_1 + level - 1))
      .partOf("level cap");
}

void readCap(FlightContext& context, Control& control) {
  control.options.push_back({"none", "As fine as time allows."});
  for (int level = 1; level <= engine::exactDepth; ++level)
    control.options.push_back({std::string(engine::nameOfDepth(level)), {}});
  const int level = context.ui.detection.levelCap;
  control.chosen = level > engine::exactDepth ? 0
                   : level > 0                ? static_cast<std::size_t>(level)
                                              : Control::none;
}

void readTime(FlightContext& context, Control& control) {
  const bool fixed = context.ui.detection.budget.kind == BudgetKind::Fixed;
  const bool bounded = context.ui.detection.budget.kind != BudgetKind::Unlimited;
  const Clock::Duration time = fixed     ? context.ui.detection.budget.fixed
                               : bounded ? automaticBudget(context)
                                         : maxBudget;
  control.place = bounded ? placeOfBudget(time) : 1.0;
  // The budget of the visible frame
  const std::optional<double> allowed = context.panels.numbers.flight().allowed;
  control.value = context.replays()   ? std::string(asRecorded)
                  : fixed || !bounded ? budgetWords(userBudget(context))
                  : allowed           ? formatTime(*allowed)
                                      : "auto";
}

void showBudget(FlightContext& context) {
  context.say("budget", "budget: " + budgetWords(userBudget(context)));
}

std::vector<Command> methodCommands() {
  using enum Action;
  using enum KeyGroup;
  return {
      CommandRow(Detection, NextMethod, "next_method", "detector",
                 "Detector: sphere trees, BSP trees, or both.")
          .key(SDL_SCANCODE_B)
          .choice([](FlightContext& context, Control& control) {
            offer(control,
                  {{"sphere tree", "Coarse answers first, finer ones while time lasts."},
                   {"BSP tree",
                    "The exact answer of each pair in one step, which may exceed the budget."},
                   {"both", "Sphere trees fly; BSP trees watch and report what is missed."}},
                  static_cast<std::size_t>(context.flightManager.requestedMethod()));
          })
          .does([](FlightContext& context, const Selection& selection) {
            selectMethod(context, static_cast<Method>(selection.option));
          }),
      CommandRow(Detection, NextBroadPhase, "next_broad_phase", "broad phase",
                 "Broad phase: how candidate pairs are found.")
          .shift(SDL_SCANCODE_B)
          .choice([](FlightContext& context, Control& control) {
            offer(control, broadPhaseCatalog(), context.flight().inUse().broad);
          })
          .does([](FlightContext& context, const Selection& selection) {
            selectBroadPhase(context, broadPhaseCatalog()[selection.option]);
          }),
      CommandRow(Detection, NextNarrowPhase, "next_narrow_phase", "narrow phase",
                 "Narrow phase: how candidate pairs are compared.")
          .key(SDL_SCANCODE_J)
          .choice([](FlightContext& context, Control& control) {
            offer(control, stepwisePhases(), narrowPhaseOf(context.flight()));
          })
          .does([](FlightContext& context, const Selection& selection) {
            selectNarrowPhase(context, stepwisePhases()[selection.option]);
          }),
      CommandRow(Detection, NextTree, "next_tree", "trees", "Builder of the sphere trees.")
          .endsTour()
          .key(SDL_SCANCODE_F)
          .choice([](FlightContext& context, Control& control) {
            offer(control, sphereTreeBuilderCatalog(), context.flightManager.requestedTrees().tree);
          })
          .does([](FlightContext& context, const Selection& selection) {
            engine::Scene wanted = context.flightManager.requestedTrees();
            wanted.tree = sphereTreeBuilderCatalog()[selection.option].name;
            requestTrees(context, wanted);
          }),
      CommandRow(Detection, "boxes", "boxes",
                 "Boxes beside spheres that fit badly show sooner that nothing touches.")
          .onOff([](FlightContext& context, Control& control) {
            control.on =
                engine::treeSettings(context.flightManager.requestedTrees()).nodeBoxRatio > 0.0;
          })
          .does(flipBoxes),
      CommandRow(Detection, "inner_spheres", "inner spheres",
                 "Spheres inside each solid prove contact early where two of them meet.")
          .onOff([](FlightContext& context, Control& control) {
            control.on =
                engine::treeSettings(context.flightManager.requestedTrees()).innerSpheres > 0;
          })
          .does(flipInnerSpheres),
      CommandRow(Detection, NextOrder, "next_order", "order",
                 "Next pair: in turn, by bound, speed, view.")
          .key(SDL_SCANCODE_O)
          .choice([](FlightContext& context, Control& control) {
            offer(control, refinementOrderCatalog(), entryOf(context.ui.detection.order).name);
          })
          .does([](FlightContext& context, const Selection& selection) {
            const RefinementOrderEntry& entry = refinementOrderCatalog()[selection.option];
            context.ui.detection.order = entry.order;
            context.say("order",
                        fmt::format("order of refinement: {}; {}", entry.name, entry.summary));
          }),
  };
}

std::vector<Command> budgetCommands() {
  using enum Action;
  using enum KeyGroup;
  return {
      capRow(1, Cap1, "level_cap_1", "level 1 at most", "Refine to level 1 at most.").does(cap<1>),
      capRow(2, Cap2, "level_cap_2", "level 2 at most", "Level 2 at most.").does(cap<2>),
      capRow(3, Cap3, "level_cap_3", "level 3 at most", "Level 3 at most.").does(cap<3>),
      capRow(4, Cap4, "level_cap_4", "level 4 at most", "Level 4 at most.").does(cap<4>),
      capRow(5, Cap5, "level_cap_5", "triangles at most", "Level cap: the triangles.").does(cap<5>),
      CommandRow(Detection, CapNone, "no_level_cap", "no level cap",
                 "No level cap: as fine as time allows.")
          .key(SDL_SCANCODE_0, SDL_SCANCODE_KP_0)
          .partOf("level cap")
          .does(cap<Detector::noLevelCap>),
      CommandRow(Detection, "level_cap", "level cap",
                 "How fine detection may go: level 1 to 4, triangles.")
          .choice(readCap)
          .does([](FlightContext& context, const Selection& selection) {
            context.ui.detection.levelCap =
                selection.option == 0 ? Detector::noLevelCap : static_cast<int>(selection.option);
          }),
      CommandRow(Detection, "budget", "budget",
                 "Time that detection may take per frame before it must answer.")
          .choice([](FlightContext& context, Control& control) {
            offer(control,
                  {{"no limit", "Detection always finishes, however late the frame is."},
                   {"auto", "What the rest of the frame is expected to leave of its target."},
                   {"fixed", "Always the same time, set below."}},
                  context.replays()
                      ? Control::none
                      : static_cast<std::size_t>(
                            std::ranges::find(budgetKinds, context.ui.detection.budget.kind) -
                            budgetKinds.begin()));
          })
          .does([](FlightContext& context, const Selection& selection) {
            const BudgetKind kind = budgetKinds[selection.option];
            if (kind == BudgetKind::Fixed)
              fixBudget(context.ui, automaticBudget(context));
            else
              context.ui.detection.budget.kind = kind;
          }),
      CommandRow(Detection, BudgetDown, "less_time", "less time",
                 "Less time for detection (0.8 ×).")
          .key(SDL_SCANCODE_MINUS, SDL_SCANCODE_KP_MINUS)
          .repeats()
          .partOf("time allowed")
          .does([](FlightContext& context, const Selection&) {
            lowerBudget(context.ui, automaticBudget(context));
            showBudget(context);
          }),
      CommandRow(Detection, BudgetUp, "more_time", "more time", "More time for detection (1.25 ×).")
          .key(SDL_SCANCODE_EQUALS, SDL_SCANCODE_KP_PLUS)
          .repeats()
          .partOf("time allowed")
          .does([](FlightContext& context, const Selection&) {
            raiseBudget(context.ui, automaticBudget(context));
            showBudget(context);
          }),
      CommandRow(Detection, "time_allowed", "time allowed",
                 "The budget per frame, on a logarithmic scale; dragging the handle fixes it.")
          .scale(readTime)
          .does([](FlightContext& context, const Selection& selection) {
            if (selection.place) fixBudget(context.ui, budgetAt(*selection.place));
          }),
      CommandRow(Detection, EraMode, "mode_1995", "1995 mode",
                 "1995 mode: the budget of a machine of that year.")
          .key(SDL_SCANCODE_Y)
          .onOff(readSwitch<&UiState::detection, &DetectionChoice::eraMode>)
          .does([](FlightContext& context, const Selection& selection) {
            flip<&UiState::detection, &DetectionChoice::eraMode>(context, selection);
            UiState& ui = context.ui;
            setEraMode(ui, ui.detection.eraMode);
            context.say("era", ui.detection.eraMode
                                   ? fmt::format("1995 mode: detection has 1/{:.0f} of its "
                                                 "time",
                                                 ui.detection.budget.eraScale)
                                   : std::string("1995 mode: off"));
          }),
      CommandRow(Detection, AsPublished, "as_published", "as published",
                 "As published: the papers' trees and technique.")
          .endsTour()
          .key(SDL_SCANCODE_U)
          .onOff([](FlightContext& context, Control& control) {
            control.on = context.flight().scene().asPublished;
          })
          .does([](FlightContext& context, const Selection&) { toggleAsPublished(context); }),
      CommandRow(Detection, NextResponse, "next_response", "response",
                 "Response: bounce, tumble, as published, teleport.")
          .key(SDL_SCANCODE_T)
          .choice([](FlightContext& context, Control& control) {
            for (const std::string_view name : engine::responseNames)
              control.options.push_back(
                  {std::string(name), responseWords(engine::responseOf(name))});
            control.chosen = static_cast<std::size_t>(context.ui.detection.response);
          })
          .does([](FlightContext& context, const Selection& selection) {
            context.ui.detection.response = static_cast<engine::Response>(selection.option);
            context.say("response",
                        fmt::format("response: {}", responseWords(context.ui.detection.response)));
          }),
  };
}

}  // namespace

std::vector<Command> detectionCommands() {
  std::vector<Command> all = methodCommands();
  std::ranges::move(budgetCommands(), std::back_inserter(all));
  for (Command& command : all) command.refusedInReplay = true;
  return all;
}

}  // namespace nearmiss::app::fly
