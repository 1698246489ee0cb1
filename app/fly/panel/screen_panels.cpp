// SPDX-License-Identifier: MIT
#include "fly/panel/screen_panels.h"

#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "fly/choices/detection_budget.h"
#include "fly/choices/detection_choice.h"
#include "fly/command/actions.h"
#include "fly/flight_context.h"
#include "fly/gfx/panel_sheet.h"
#include "fly/loop/canvas.h"
#include "fly/loop/frame_times.h"
#include "fly/modes/game/player_face.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/messages.h"
#include "fly/overlay/palette.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

constexpr double shortLoading = 0.25;

/// Seconds between drawings of the panels; their numbers are held for longer.
constexpr double sheetSeconds = 1.0 / 15.0;

PixelRect pixelsOf(const Rect& rect, int windowHeight) {
  const auto whole = [](float x) { return static_cast<int>(std::lround(x)); };
  return {whole(rect.x), windowHeight - whole(rect.bottom()), whole(rect.width),
          whole(rect.bottom()) - whole(rect.y)};
}

std::string_view cameraName(const CameraRig& rig) {
  constexpr std::array<std::string_view, 4> cameras{"chase", "cockpit", "orbit", "free camera"};
  return rig.looking() ? "looking at the pair" : cameras[static_cast<std::size_t>(rig.mode())];
}

/// Trees being built during the flight.
BuildStatus buildStatusOf(const FlightContext& context) {
  const ModelWorker* build = context.modes.split.build();
  const bool own = context.flightManager.worker().isBuilding();
  if (own) build = &context.flightManager.worker();
  if (!build) return {};
  return {build->what(), &build->progress(), build->elapsedSeconds(),
          own ? context.flightManager.expectedSeconds() : 0.0};
}

}  // namespace

OverlayView describeScreen(FlightContext& context, bool coarsened) {
  holdNumbers(context);
  const Flight& flight = context.flight();
  const engine::Scene& scene = flight.scene();
  OverlayView view;
  view.ui = &context.ui;
  view.frames.history = &context.times.history;
  view.frames.numbers = &context.panels.numbers.flight();
  view.flight.method = flight.inUse().narrow;
  view.flight.broad = flight.inUse().broad;
  view.flight.tree = flight.inUse().trees;
  view.flight.sceneName = scene.name;
  view.flight.camera = cameraName(context.view.rig);
  view.flight.asPublished = publishedWords(flight, context.ui.detection);
  view.flight.seed = scene.seed;
  view.flight.shipRadius = shipRadius(flight);
  view.recording =
      context.records.recorder.recording() || context.flightManager.session().writing();
  view.frames.fixedSteps = !inRealTime(context);
  view.flown = true;
  if (context.screen.driver.software) {
    const std::string_view name = context.screen.driver.renderer;
    view.frames.softwareRenderer = name.substr(0, name.find(' '));
    view.frames.coarsened = coarsened;
  }
  view.build = buildStatusOf(context);
  // In reverse order, so that modes with priority override others
  const auto modes = context.modes.all();
  for (auto mode = modes.rbegin(); mode != modes.rend(); ++mode) (*mode)->describe(context, view);
  if (view.modes.runEnd) view.modes.runEnd->pad = context.input.gamepad().connected();
  // Two views have no room for one player's panel
  if (context.ui.view.overlay == OverlayMode::Player && !context.modes.duel.splits(context))
    view.player = playerView(context);
  return view;
}

namespace {

void writeControls(FlightContext& context, const Ink& ink) {
  ScreenPanels& panels = context.panels;
  const UiState& ui = context.ui;
  const Rect& rect = panels.overlay.areaOf(Panel::Controls);
  const std::vector<Control> now =
      ui.pages.keyPage ? panels.keyEditor.controls() : controls(context);
  ControlPanel& panel = ui.pages.keyPage ? panels.keys : panels.controls;
  panels.selection =
      panel.draw(ink, rect, now, !ui.pages.pageOpen() && !ui.steering.stickActive, panels.spots);
}

/// Draws hover text at the mouse, or the pinned one; a field of the status bar has the text of its
/// control.
void writeHoverWords(const FlightContext& context, const Ink& ink) {
  const ScreenPanels& panels = context.panels;
  const HoverSpot* spot = panels.hover.shown(panels.spots, context.input.pointer());
  if (!spot || context.ui.pages.quitQuestion) return;
  const std::string_view words = !spot->words.empty() ? spot->words : wordsFor(spot->name);
  const ImVec2& size = ImGui::GetIO().DisplaySize;
  const std::string key = localKeyName(Action::PinExplanation);
  if (!words.empty())
    drawHoverWords(ink, spot->rect, words, size.x, size.y,
                   panels.hover.pins() ? fmt::format("({}: release)", key) : std::string());
}

/// Returns true while the user operates a panel, which must then respond in each frame.
bool pointerOnPanel(const Overlay& overlay) {
  const ImGuiIO& io = ImGui::GetIO();
  const auto on = [&](const ImVec2& at) { return overlay.takesClick({at.x, at.y}); };
  for (const ImGuiMouseButton button : {ImGuiMouseButton_Left, ImGuiMouseButton_Right})
    if ((io.MouseDown[button] || io.MouseReleased[button]) && on(io.MouseClickedPos[button]))
      return true;
  const bool moved = io.MouseDelta.x != 0.0f || io.MouseDelta.y != 0.0f || io.MouseWheel != 0.0f;
  return moved && on(io.MousePos);
}

void writePanels(FlightContext& context, const Ink& ink, const OverlayView& view) {
  context.panels.overlay.drawPanels(ink, view);
  if (context.ui.pages.controls) writeControls(context, ink);
}

/// Returns the panels' own draw list, empty.
ImDrawList& freshList(ScreenPanels& panels) {
  if (!panels.list) panels.list = std::make_shared<ImDrawList>(ImGui::GetDrawListSharedData());
  ImDrawList& list = *panels.list;
  list._ResetForNewFrame();
  list.PushTextureID(ImGui::GetIO().Fonts->TexID);
  list.PushClipRectFullScreen();
  return list;
}

void render(ImDrawList& list) {
  ImDrawList* lists[] = {&list};
  ImDrawData data;
  data.Valid = true;
  data.CmdLists = lists;
  data.CmdListsCount = 1;
  data.TotalIdxCount = list.IdxBuffer.Size;
  data.TotalVtxCount = list.VtxBuffer.Size;
  data.DisplaySize = ImGui::GetIO().DisplaySize;
  data.FramebufferScale = {1.0f, 1.0f};
  ImGui_ImplOpenGL3_RenderDrawData(&data);
}

/// Draws the panels into their sheet, or directly into the window if there is no memory for one.
void drawSheet(FlightContext& context, Canvas& canvas, const OverlayView& view) {
  ScreenPanels& panels = context.panels;
  panels.spots.clear();
  const Screen& screen = context.screen;
  if (canvas.renderer().panels().begin(panels.covered, screen.width, screen.height)) {
    ImDrawList& list = freshList(panels);
    writePanels(context, Ink(list, panels.spots), view);
    render(list);
    PanelSheet::end();
    panels.laidAt = context.times.wallSeconds();
  } else {
    writePanels(context, Ink(&panels.spots), view);
  }
  panels.panelSpots = panels.spots.all().size();
}

/// The areas of ships in the picture; empty without messages, which avoid them.
std::vector<Rect> shipAreas(const FlightContext& context, glm::vec2 window) {
  std::vector<Rect> areas;
  if (context.toasts.empty() || context.modes.bench.on()) return areas;
  if (context.modes.split.on())
    context.modes.split.addShipAreas(context, window, areas);
  else if (context.modes.duel.shown(context))
    context.modes.duel.addShipAreas(context, window, areas);
  else
    context.view.addShipAreas(context.flight(), window, 0.0f, areas);
  return areas;
}

void writeFlight(FlightContext& context, Canvas& canvas, const OverlayView& view) {
  ScreenPanels& panels = context.panels;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Ink ink;
  const auto grounds = panels.overlay.grounds();
  panels.taken.assign(grounds.begin(), grounds.end());
  context.toasts.addPlaces(panels.taken);
  for (Mode* mode : context.modes.all())
    if (mode->label(context, ink, {size.x, size.y}, panels.taken)) break;
  if (const auto pulled = panels.overlay.replayPulled(view);
      pulled && *pulled != view.modes.replay->position)
    context.modes.replay.jumpTo(*pulled);
  // Above all labels, below everything else
  ink.list()->AddCallback(
      [](const ImDrawList*, const ImDrawCmd* command) {
        static_cast<const PanelSheet*>(command->UserCallbackData)->show();
      },
      &canvas.renderer().panels());
  ink.list()->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
  const Answer answer = panels.overlay.drawOver(view, context.toasts, context.ui.pages.scroll,
                                                panels.spots, shipAreas(context, {size.x, size.y}));
  writeHoverWords(context, ink);
  if (const Toasts::ClickAction deed = context.toasts.takeClicked()) deed(context);
  if (answer == Answer::Yes) context.stop();
  if (answer == Answer::No) context.ui.pages.quitQuestion = false;
}

void act(FlightContext& context, const ControlInput& selection) {
  if (!context.ui.pages.keyPage) {
    choose(context, selection);
    return;
  }
  KeyEditor& editor = context.panels.keyEditor;
  if (const std::string words = editor.act(selection); !words.empty()) context.say("keys", words);
  context.ui.pages.asksForKey = editor.asks();
  if (editor.left()) closeKeyPage(context);
}

void assignKey(FlightContext& context, KeyPress key) {
  context.ui.pages.asksForKey = false;
  KeyEditor& editor = context.panels.keyEditor;
  if (!editor.asks()) return;
  if (const std::string words = editor.give(key); !words.empty()) context.say("keys", words);
}

/// Opens the control panel at the control of that name.
void showControl(FlightContext& context, std::string_view name) {
  const std::vector<Control> table = controlTable();
  const auto found = std::ranges::find(table, name, &Control::name);
  context.modes.tour.leave(context);
  context.ui.pages.controls = true;
  closeKeyPage(context);
  if (found != table.end())
    context.panels.controls.show(table, static_cast<std::size_t>(found - table.begin()));
}

}  // namespace

void holdNumbers(FlightContext& context) {
  const Flight& flight = context.flight();
  const FrameTimes& times = context.times;
  ShownInstant instant{
      flight.world().time(),
      earliestMeeting(flight),
      {},
      flight.scene().clock == engine::ClockKind::Work,
      context.replays() ? std::string(asRecorded) : budgetWords(userBudget(context))};
  if (const engine::SessionPlayer* player = flight.player()) instant.replayed = player->position();
  const auto halves = context.modes.split.measured();
  context.panels.numbers.update(halves ? (*halves)[1] : Measured{&times.history, &times.statistics},
                                halves, instant, context.ui.isFrozen(), times.wallSeconds());
}

std::optional<OverlayView> layPanels(FlightContext& context, Canvas& canvas) {
  canvas.cover({});
  ScreenPanels& panels = context.panels;
  if (!context.hasFlight() || !context.ending.failure.empty()) {
    panels.spots.clear();
    return std::nullopt;
  }
  OverlayView view = describeScreen(context, canvas.coarsened());
  const Screen& screen = context.screen;
  panels.covered.clear();
  for (const Ground& ground : panels.overlay.place(view))
    panels.covered.push_back(pixelsOf(ground.rect, screen.height));
  // Films contain no panels
  if (!filmsScene(context)) canvas.cover(panels.covered);
  context.input.excludeArea(panels.overlay.areaOf(Panel::Controls));

  const bool kept = canvas.renderer().panels().has(panels.covered, screen.width, screen.height) &&
                    context.times.wallSeconds() < panels.laidAt + sheetSeconds &&
                    !pointerOnPanel(panels.overlay) && !screenshotIsDue(context);
  if (kept)
    panels.spots.truncate(panels.panelSpots);
  else
    drawSheet(context, canvas, view);
  return view;
}

void writeScreen(FlightContext& context, Canvas& canvas, const std::optional<OverlayView>& view) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Ink ink;
  if (const std::string& failure = context.ending.failure; !failure.empty()) {
    if (drawFailure(ink, size.x, size.y, failure) == Answer::Yes) context.stop();
    return;
  }
  context.toasts.update(context.times.wallSeconds());
  if (context.hasFlight()) context.toasts.setFlightTime(context.flight().world().time());
  if (view) writeFlight(context, canvas, *view);
  const ModelWorker& worker = context.flightManager.worker();
  if (loadingShown(context) && drawLoading(ink, size.x, size.y, worker.what(), worker.progress(),
                                           worker.elapsedSeconds()) == Answer::No)
    context.flightManager.cancel();
}

void handlePanelInput(FlightContext& context, const InputEvents& events) {
  ScreenPanels& panels = context.panels;
  if (const auto selection = std::exchange(panels.selection, std::nullopt))
    act(context, *selection);
  if (events.given) assignKey(context, *events.given);
  for (const PanelKey key : events.panelKeys) {
    if (!context.hasFlight()) return;
    const auto selection = context.ui.pages.keyPage
                               ? panels.keys.press(key, panels.keyEditor.controls())
                               : panels.controls.press(key, controls(context));
    if (selection) act(context, *selection);
  }
}

void click(FlightContext& context, const glm::vec2& at, bool marks) {
  UiState& ui = context.ui;
  if (ui.pages.pageOpen()) return;
  if (context.toasts.takesClick(at)) return;
  for (Mode* mode : context.modes.all())
    if (mode->grab(context, at)) return;
  const Overlay& overlay = context.panels.overlay;
  if (meets(overlay.areaOf(Panel::Status), {at.x, at.y, 1.0f, 1.0f})) {
    const HoverSpot* field = context.panels.spots.at(at);
    showControl(context, field ? field->name : std::string());
  } else if (!overlay.takesClick(at)) {
    const bool marksShip = marks && !context.modes.split.on() && !context.replays();
    const auto pick = [&](const PickedShips& before) {
      return pickAt(context.flight(), before, context.view.camera, context.screen.width,
                    context.screen.height, at);
    };
    if (marksShip)
      toggleUnimportant(context, std::array{pick({}).a});
    else
      ui.view.picked = context.modes.split.on()
                           ? context.modes.split.pick(context, ui.view.picked, at)
                           : pick(ui.view.picked);
  }
}

void openKeyPage(FlightContext& context) {
  ScreenPanels& panels = context.panels;
  context.ui.pages.keyPage = true;
  panels.keyEditor.begin();
  panels.keys.show(panels.keyEditor.controls(), 0);
}

void closeKeyPage(FlightContext& context) noexcept {
  context.ui.pages.keyPage = context.ui.pages.asksForKey = false;
  context.panels.keyEditor.cancelRequest();
}

bool loadingShown(const FlightContext& context) noexcept {
  const ModelWorker& worker = context.flightManager.worker();
  return worker.busy() && !worker.isBuilding() && worker.elapsedSeconds() > shortLoading;
}

std::string titleOf(const FlightContext& context) {
  if (context.ui.pages.quitQuestion) return "Quit Nearmiss?";
  if (!context.hasFlight()) return "Nearmiss";
  const Flight& flight = context.flight();
  std::string title = fmt::format("Nearmiss - {}", flight.inUse().narrow);
  if (context.ui.detection.method != Method::Bsp)
    title += fmt::format(", {}", flight.inUse().trees);
  return title +
         fmt::format(" - {}{}", flight.scene().name, context.ui.pace.paused ? " - paused" : "");
}

}  // namespace nearmiss::app::fly
