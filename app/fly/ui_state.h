// SPDX-License-Identifier: MIT
/// The user's choices in the window: changed by commands, read by modes and panels.
#pragma once

#include <engine/flight/budget.h>
#include <engine/flight/response.h>
#include <nearmiss/detector.h>

#include <cstdint>
#include <glm/vec2.hpp>
#include <string>

namespace nearmiss::app::fly {

/// The methods that the window switches between in flight.
enum class Method : std::uint8_t {
  SphereTree,  ///< or whatever the scene names as its narrow phase
  Bsp,
  Both  ///< the first drives, the second watches the same states
};

enum class OverlayMode : std::uint8_t { Full, Compact, Off };

/// Which spheres are drawn: none, those of the contacts, or a whole level of the picked ships.
enum class DrawLevel : std::uint8_t { Off, Contact, Level1, Level2, Level3, Level4 };

using BudgetKind = engine::BudgetRule::Kind;

/// Meaning of arrow keys and their neighbours while the panel of controls is open.
enum class PanelKey : std::uint8_t { Up, Down, Left, Right, Enter, NextGroup, GroupBefore };

/// Two ships under inspection, by BodyState::key; 0: no ship.
struct PickedShips {
  std::uint32_t a = 0, b = 0;
  [[nodiscard]] bool pair() const noexcept { return a != 0 && b != 0; }
  friend bool operator==(const PickedShips&, const PickedShips&) = default;
};

/// How contacts are found, and what they do.
struct DetectionChoice {
  Method method = Method::SphereTree;
  int levelCap = Detector::noLevelCap;
  RefinementOrder order = RefinementOrder::InTurn;
  engine::BudgetRule budget;  ///< its eraScale holds in eraMode
  bool eraMode = false;
  engine::Response response = engine::Response::Bounce;
};

/// The visible and audible parts of a flight.
struct ViewChoice {
  OverlayMode overlay = OverlayMode::Full;
  bool folded = false;  ///< panels are one line, the status bar
  DrawLevel drawLevel = DrawLevel::Contact;
  bool wireframe = false, boundingSpheres = false, reduceFlashing = false;
  bool muted = false;
  bool cues = true;              ///< marks of heading and speed, arrows to what is out of view
  bool spaceTimeBounds = false;  ///< of the picked ships, or the user's own
  bool nearestShips = false;     ///< the plane through two ships, by which is nearer
  PickedShips picked;
};

/// Pages over the flight.
struct OpenPages {
  bool help = false, numbers = false, quitAsked = false;
  bool runEnd = false;        ///< the result of a run for points
  bool introduction = false;  ///< how to read the screen, at the first start
  bool controls = false;      ///< the panel of controls
  bool keyPage = false;       ///< the page of key bindings
  bool asksForKey = false;    ///< the next key is taken for a command
  float scroll = 0.0f;        ///< of help and numbers, lines of text; its drawing keeps it in range
  std::string search;         ///< in help, as it was typed

  /// True if something lies over the flight and its panels.
  [[nodiscard]] bool pageOpen() const noexcept {
    return help || numbers || quitAsked || runEnd || introduction;
  }
  /// Those to read, which lie over each other.
  void closePages() noexcept {
    help = numbers = introduction = false;
    scroll = 0.0f;
    search.clear();
  }
  [[nodiscard]] bool panelHasKeys() const noexcept { return controls && !pageOpen(); }
};

/// How the ship is steered.
struct SteeringChoice {
  bool fineControl = false, mouseSteering = false;
  bool stickActive = false;
  glm::vec2 stick{0.0f};  ///< the mouse's virtual stick, within the unit circle, y down
};

/// How the flight's own time passes.
struct PaceChoice {
  bool paused = false;
  int stepsAsked = 0;     ///< frames to advance although paused
  int speedExponent = 0;  ///< simulation speed is 2 to this

  [[nodiscard]] double speed() const noexcept {
    return speedExponent >= 0 ? static_cast<double>(1 << speedExponent)
                              : 1.0 / static_cast<double>(1 << -speedExponent);
  }
};

struct UiState {
  DetectionChoice detection;
  ViewChoice view;
  OpenPages pages;
  SteeringChoice steering;
  PaceChoice pace;

  /// True while questions and help wait for the user.
  [[nodiscard]] bool waits() const noexcept { return pages.help || pages.quitAsked; }
  /// True if no time passes in the flight, except for single steps.
  [[nodiscard]] bool standsStill() const noexcept { return pace.paused || waits(); }
};

}  // namespace nearmiss::app::fly
