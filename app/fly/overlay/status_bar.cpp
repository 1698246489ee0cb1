// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstdint>
#include <numeric>

#include "fly/choices/detection_budget.h"
#include "fly/overlay/messages.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

/// Writes items from the left, separated by thin lines, while there is space.
class Items {
 public:
  Items(const Ink& ink, const Rect& rect) : ink_(ink), rect_(rect), x_(rect.x + 0.8f * ink.em()) {}

  /// `control` is the name for hover text and for the control that a click shows.
  bool add(std::string_view text, std::string_view control, Rgb colour = palette::text,
           ImFont* font = nullptr) {
    const float width = ink_.textWidth(text, font);
    if (x_ + width > limit()) return false;
    spot(width, control);
    ink_.text({x_, middle()}, text, colour, font);
    advance(width);
    return true;
  }
  bool addChip(std::string_view text, std::string_view control, Rgb ground) {
    const float width = ink_.textWidth(text, ink_.small()) + 0.7f * ink_.em();
    if (x_ + width > limit()) return false;
    spot(width, control);
    advance(ink_.chip({x_, middle()}, text, ground));
    return true;
  }
  void reserveRight(float width) { reserved_ += width; }

 private:
  void spot(float width, std::string_view control) const {
    const float apart = 0.8f * ink_.em();
    ink_.spot({x_ - apart, rect_.y, width + 2.0f * apart, rect_.height}, control);
  }
  [[nodiscard]] float middle() const { return rect_.y + 0.5f * rect_.height; }
  [[nodiscard]] float limit() const { return rect_.right() - reserved_ - 0.8f * ink_.em(); }
  void advance(float width) {
    x_ += width + 0.8f * ink_.em();
    const float inset = 0.5f * ink_.em();
    if (x_ < limit())
      ink_.segment({x_, rect_.y + inset}, {x_, rect_.bottom() - inset}, palette::panelEdge);
    x_ += 0.8f * ink_.em();
  }

  const Ink& ink_;
  Rect rect_;
  float x_, reserved_ = 0.0f;
};

/// The selected speed, unless it is the default, and the resulting pace.
std::string paceWords(const UiState& ui, const OverlayView& view, const ShownNumbers& shown) {
  const std::string chosen = ui.pace.speedExponent == 0 ? std::string()
                             : ui.pace.speedExponent > 0
                                 ? fmt::format("speed {} ×: ", 1 << ui.pace.speedExponent)
                                 : fmt::format("speed 1/{} ×: ", 1 << -ui.pace.speedExponent);
  return fmt::format("{}{}{}", chosen, paceText(view, shown),
                     view.frames.fixedSteps ? ", fixed steps" : "");
}

}  // namespace

void drawStatusBar(const Ink& ink, const Layout& layout, const OverlayView& view,
                   const ShownNumbers& shown) {
  const UiState& ui = *view.ui;
  const Rect& rect = layout[Panel::Status];
  const bool buildHidden = view.build.progress && !layout[Panel::Build].shown();
  const bool runHidden = !layout[Panel::Run].shown();
  ink.segment({rect.x, rect.bottom()}, {rect.right(), rect.bottom()}, palette::panelEdge);

  // From the right: important items
  Items items(ink, rect);
  const float middle = rect.y + 0.5f * rect.height;
  float right = rect.right() - 0.8f * ink.em();
  const auto chipRight = [&](std::string_view text, std::string_view name, Rgb ground) {
    const float width = ink.textWidth(text, ink.small()) + 0.7f * ink.em();
    right -= width;
    ink.spot({right, rect.y, width, rect.height}, name);
    ink.chip({right, middle}, text, ground);
    right -= 0.5f * ink.em();
    items.reserveRight(width + 0.5f * ink.em());
  };
  if (view.recording) chipRight("REC", "record the flight", palette::overrun);
  if (view.modes.run && runHidden)
    chipRight(fmt::format("points {}, {:.0f} s left", view.modes.run->points, view.modes.run->left),
              "run for points", palette::own);
  if (buildHidden)
    chipRight(fmt::format("building, {:.0f} %", 100.0f * shareDone(*view.build.progress)),
              "building", palette::own);
  if (!view.frames.softwareRenderer.empty() && rect.width > 50.0f * ink.em())
    chipRight(fmt::format("software rendering ({}{})", view.frames.softwareRenderer,
                          view.frames.coarsened ? ", coarser to keep up" : ""),
              "software rendering", palette::input);
  else if (!view.frames.softwareRenderer.empty())
    chipRight("software GL", "software rendering", palette::input);

  if (!view.flown) {
    items.add("Nearmiss", {}, palette::text, ink.bold());
    return;
  }
  items.add(view.flight.method, "detector", palette::text, ink.bold());
  // First, the numbers that are otherwise in panels
  if (ui.view.folded && shown.measured) {
    items.add("frame " + formatTime(shown.frameTime), "frame",
              shown.frame.missed ? palette::narrow : palette::text);
    items.add("detect " + formatTime(shown.detect), "detect");
  }
  if (view.modes.flownBack)
    items.addChip(
        fmt::format("{:.1f} s BACK{}, at {:.1f} s", *view.modes.flownBack,
                    view.modes.backSpeed ? fmt::format(" at {:.1f} ×", *view.modes.backSpeed)
                                         : std::string(),
                    shown.instant.simTime),
        "fly backwards", palette::own);
  if (ui.pace.paused) items.addChip("PAUSED", "pause", palette::response);
  if (!layout[Panel::Levels].shown() && !view.modes.halves && shown.measured) {
    const auto& begun = shown.since.collisions;
    items.add(
        fmt::format("contacts {}", std::accumulate(begun.begin(), begun.end(), std::uint64_t{})),
        "contacts begun");
    items.add(fmt::format("touching {}", shown.frame.touching), "touching now");
  }
  if (ui.detection.method != Method::Bsp) items.add(view.flight.tree, "trees");
  items.add(view.flight.broad, "broad phase");
  if (!view.flight.asPublished.empty())
    items.addChip(view.flight.asPublished, "as published", palette::motion);
  // Both halves of a split view show times of slower machines, each with its own budget
  const bool split = view.modes.halves.has_value();
  if (ui.detection.eraMode)
    items.addChip(fmt::format("1995: {} {:.0f}", split ? "detection ×" : "budget ÷",
                              ui.detection.budget.eraScale),
                  "1995 mode", palette::narrow);
  if (ui.detection.levelCap <= engine::exactDepth)
    items.addChip("level cap " + capText(ui.detection.levelCap), "level cap",
                  levelColour(ui.detection.levelCap));
  if (ui.detection.order != RefinementOrder::InTurn)
    items.add(entryOf(ui.detection.order).name, "order");
  if (!split) items.add(fmt::format("budget: {}", shown.instant.budget), "budget");
  if (shown.target > 0.0) items.add("target " + formatTime(shown.target), "target");
  items.add(paceWords(ui, view, shown), "speed");
  items.add(view.flight.sceneName, "scene", palette::dim);
  items.add(fmt::format("seed {}", view.flight.seed), "restart with a new seed", palette::dim);
  items.add(fmt::format("t {:.1f} s", shown.instant.simTime), "simulated time", palette::dim);
  if (ui.detection.response == engine::Response::Teleport)
    items.add("teleport", "response", palette::dim);
  if (ui.detection.response == engine::Response::Tumble)
    items.add("ships tumble", "response", palette::dim);
  if (ui.detection.response == engine::Response::PublishedBounce)
    items.add("bounce as published", "response", palette::dim);
  if (ui.steering.fineControl) items.add("fine control", "fine control", palette::dim);
  if (ui.steering.mouseSteering) items.add("mouse steering", "steer by mouse", palette::dim);
  items.add(view.flight.camera, "camera", palette::dim);
}

}  // namespace nearmiss::app::fly
