// SPDX-License-Identifier: MIT
/// The user's settings in the window: changed by commands, read by modes and panels.
#pragma once

#include <engine/flight/budget.h>
#include <engine/flight/response.h>
#include <nearmiss/advanced/detector.h>

#include <cstdint>
#include <glm/vec2.hpp>
#include <string>

namespace nearmiss::app::fly {

/// The methods that the user can switch between in flight.
enum class Method : std::uint8_t {
  SphereTree,  ///< the narrow phase of the scene
  Bsp,
  Both  ///< the first drives; the second runs on the same states for comparison
};

/// Full and Compact are the panels of the laboratory; Player is one small panel for flying.
enum class OverlayMode : std::uint8_t { Full, Compact, Off, Player };

/// The spheres that are drawn: none, those of contacts, or a whole level of the picked ships.
enum class DrawLevel : std::uint8_t { Off, Contact, Level1, Level2, Level3, Level4 };

using BudgetKind = engine::BudgetRule::Kind;

/// Keys of the control panel while it is open.
enum class PanelKey : std::uint8_t { Up, Down, Left, Right, Enter, NextGroup, GroupBefore };

/// Two ships under inspection, by BodyState::key; 0: none.
struct PickedShips {
  std::uint32_t a = 0, b = 0;
  [[nodiscard]] bool pair() const noexcept { return a != 0 && b != 0; }
  friend bool operator==(const PickedShips&, const PickedShips&) = default;
};

/// Settings of detection and response.
struct DetectionChoice {
  Method method = Method::SphereTree;
  int levelCap = Detector::noLevelCap;
  RefinementOrder order = RefinementOrder::InTurn;
  engine::BudgetRule budget;  ///< its eraScale applies in eraMode
  bool eraMode = false;
  engine::Response response = engine::Response::Bounce;
};

/// Volumes of sound, 0 to 1; 0: off.
struct Volumes {
  float effects = 0.8f, engine = 0.5f, music = 0.25f;
  friend bool operator==(const Volumes&, const Volumes&) = default;
};

/// Settings of display and sound.
struct ViewChoice {
  OverlayMode overlay = OverlayMode::Full;
  bool folded = false;  ///< only the status bar is shown
  DrawLevel drawLevel = DrawLevel::Contact;
  bool wireframe = false, boundingSpheres = false, reduceFlashing = false;
  bool muted = false;
  Volumes volumes;
  bool cues = true;              ///< markers of heading and speed, arrows to ships out of view
  bool spaceTimeBounds = false;  ///< of the picked ships, or of the user's ship
  bool nearestShips = false;     ///< the plane through two ships, coloured by the nearer one
  bool spotlight = false;        ///< all ships except the picked ones are dark
  bool twoViews = false;         ///< a duel shows both ships, also without a controller
  PickedShips picked;
};

/// Open pages over the flight.
struct OpenPages {
  bool help = false, numbers = false, quitQuestion = false;
  bool messages = false;    ///< the log of messages
  bool runEnd = false;      ///< the result of a run for points or of a mission
  bool controls = false;    ///< the panel of controls
  bool keyPage = false;     ///< the page of key bindings
  bool asksForKey = false;  ///< the next key press is bound to a command
  float scroll = 0.0f;  ///< of help, numbers and messages, in lines; clamped when they are drawn
  std::string search;   ///< search text of the help

  /// Returns true if a page covers the flight and its panels.
  [[nodiscard]] bool pageOpen() const noexcept {
    return help || numbers || messages || quitQuestion || runEnd;
  }
  /// Closes the pages for reading, which cover each other.
  void closePages() noexcept {
    help = numbers = messages = false;
    scroll = 0.0f;
    search.clear();
  }
  [[nodiscard]] bool panelHasKeys() const noexcept { return controls && !pageOpen(); }
};

/// Settings of steering.
struct SteeringChoice {
  bool fineControl = false, mouseSteering = false;
  bool assist = true;  ///< see Throttle
  bool stickActive = false;
  glm::vec2 stick{0.0f};  ///< virtual stick of the mouse, within the unit circle, y down
};

/// Settings of simulation time.
struct PaceChoice {
  bool paused = false;
  int pendingSteps = 0;   ///< frames to simulate while paused
  int speedExponent = 0;  ///< the simulation speed is 2 to this power

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

  /// Returns true while a question or help is open.
  [[nodiscard]] bool waits() const noexcept { return pages.help || pages.quitQuestion; }
  /// Returns true if the flight is paused, except for single steps.
  [[nodiscard]] bool isFrozen() const noexcept { return pace.paused || waits(); }
};

}  // namespace nearmiss::app::fly
