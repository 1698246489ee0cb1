// SPDX-License-Identifier: MIT
/// What the user has chosen in the window: changed by commands, read by modes and panels.
#pragma once

#include <engine/flight/response.h>
#include <nearmiss/detector.h>

#include <chrono>
#include <cstdint>
#include <glm/vec2.hpp>

namespace nearmiss::app::fly {

/// What the window switches between while the world goes on.
enum class Method : std::uint8_t {
  SphereTree,  ///< or whatever the scene names as its narrow phase
  Bsp,
  Both  ///< the first drives, the second watches the same states
};

enum class OverlayMode : std::uint8_t { Full, Compact, Off };

/// Which spheres are drawn: none, those of the contacts, or a whole level of the picked ships.
enum class DrawLevel : std::uint8_t { Off, Contact, Level1, Level2, Level3, Level4 };

enum class BudgetMode : std::uint8_t { Unlimited, Auto, Fixed };

/// What arrow keys and their neighbours mean while the panel of controls is open.
enum class PanelKey : std::uint8_t { Up, Down, Left, Right, Enter, NextGroup, GroupBefore };

/// Two ships under inspection, by BodyState::key; 0 is none.
struct PickedShips {
  std::uint32_t a = 0, b = 0;
  [[nodiscard]] bool pair() const noexcept { return a != 0 && b != 0; }
  friend bool operator==(const PickedShips&, const PickedShips&) = default;
};

struct UiState {
  Method method = Method::SphereTree;
  int levelCap = Detector::noLevelCap;
  RefinementOrder order = RefinementOrder::InTurn;
  BudgetMode budgetMode = BudgetMode::Auto;
  std::chrono::nanoseconds fixedBudget{};
  bool eraMode = false;
  double eraScale = 1.0;  ///< divides the allowance in eraMode
  engine::Response response = engine::Response::Bounce;

  bool paused = false;
  int stepsAsked = 0;     ///< frames to advance although paused
  int speedExponent = 0;  ///< simulation speed is 2 to this

  OverlayMode overlay = OverlayMode::Full;
  DrawLevel drawLevel = DrawLevel::Contact;
  bool wireframe = false, boundingSpheres = false, reduceFlashing = false;
  bool muted = false;
  bool cues = true;              ///< marks of heading and speed, arrows to what is out of view
  bool spaceTimeBounds = false;  ///< of the picked ships, or the user's own
  bool nearestShips = false;     ///< the plane through two ships, by which is nearer
  bool help = false, numbers = false, quitAsked = false;
  bool runEnd = false;        ///< how a run for points ended is shown
  bool introduction = false;  ///< how to read the screen, at the first start
  bool controls = false;      ///< the panel of controls is open
  bool keyPage = false;       ///< and shows which keys do what
  bool asksForKey = false;    ///< the next key is taken for an action
  float scroll = 0.0f;  ///< of help and numbers, lines of text; kept in range by who draws them
  PickedShips picked;

  bool fineControl = false, mouseSteering = false;
  bool stickActive = false;
  glm::vec2 stick{0.0f};  ///< the mouse's virtual stick, within the unit circle, y down

  /// Whether something lies over the flight and its panels.
  [[nodiscard]] bool pageOpen() const noexcept {
    return help || numbers || quitAsked || runEnd || introduction;
  }
  /// Those to read, which lie over each other.
  void closePages() noexcept {
    help = numbers = introduction = false;
    scroll = 0.0f;
  }
  [[nodiscard]] bool panelHasKeys() const noexcept { return controls && !pageOpen(); }
  [[nodiscard]] double speed() const noexcept {
    return speedExponent >= 0 ? static_cast<double>(1 << speedExponent)
                              : 1.0 / static_cast<double>(1 << -speedExponent);
  }
};

}  // namespace nearmiss::app::fly
