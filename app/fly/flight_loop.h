// SPDX-License-Identifier: MIT
/// The loop: events, budget, one frame of the simulator, drawing, waiting, measuring.
#pragma once

#include <engine/flight/frame_budget.h>

#include <optional>
#include <string>

#include "fly/changeover.h"
#include "fly/diagram/ship_diagram.h"
#include "fly/film.h"
#include "fly/game/timed_run.h"
#include "fly/gfx/edge_smoothing.h"
#include "fly/gfx/renderer.h"
#include "fly/host/impact_sound.h"
#include "fly/host/input.h"
#include "fly/host/window.h"
#include "fly/overlay/hover.h"
#include "fly/overlay/overlay.h"
#include "fly/panel/control_panel.h"
#include "fly/panel/key_editor.h"
#include "fly/recorder.h"
#include "fly/settings/window_settings.h"
#include "fly/split/ghost.h"
#include "fly/split/split_flight.h"
#include "fly/tour/tour.h"
#include "fly/view/collision_marks.h"
#include "fly/view/eye_trail.h"
#include "fly/view/flight_cues.h"
#include "fly/view/impacts.h"
#include "fly/view/pair_inspection.h"
#include "fly/view/scene_drawing.h"
#include "fly/view/second_view.h"
#include "settings_memory.h"

namespace nearmiss::app {

/// What happens to ships that collide, for the user.
[[nodiscard]] std::string_view responseWords(engine::Response response) noexcept;

/// Powers of two.
inline constexpr int slowestSpeed = -5, fastestSpeed = 4;

class FlightLoop {
 public:
  /// With a player, what it replays flies first. What is chosen is remembered in `memory`, if that
  /// names a file.
  FlightLoop(const Options& options, Window window, Renderer renderer,
             std::unique_ptr<engine::SessionPlayer> player = nullptr, SettingsMemory memory = {});
  /// Flies until the user or the options end it. Returns an ExitCode.
  int run();

  /// Whether a key that goes down for `action` has an effect; one that is held has none by itself.
  [[nodiscard]] static bool hasEffect(Action action) noexcept;
  /// Everything that the mouse can set, not as it stands but by name and words.
  [[nodiscard]] static std::vector<Control> controlTable();
  /// What something on the screen is: a control of that name, or a number.
  [[nodiscard]] static std::string_view wordsFor(std::string_view name);
  /// As the last frame had it.
  [[nodiscard]] const Camera& camera() const noexcept { return camera_; }

 private:
  struct KeyEffects;
  struct Controls;
  using Time = std::chrono::steady_clock::time_point;

  // One turn of the loop, in this order
  void readInput();
  void apply(Action action);
  void act(const ControlWish& wish);
  void click(const glm::vec2& at);
  void press(Action action);
  void close();
  void collectWorkers();
  void show(const Change& change);
  void advance();
  void advanceReplay();
  void feelHits();
  void draw();
  void writePanels();
  void writeControls(const Ink& ink);
  void writeHoverWords(const Ink& ink);
  /// A word to the user, in place of the last one about `topic`.
  void say(std::string topic, std::string text) {
    toasts_.say(std::move(topic), std::move(text), wallSeconds());
  }
  void updateTitle();
  /// What detection would have of the frame without a rule of the user's.
  [[nodiscard]] Clock::Duration automaticBudget() const noexcept;
  void finishFrame();
  void fitQuality();
  [[nodiscard]] DrawQuality drawQuality() const noexcept;

  // A split view: the flight is its right half
  void toggleSplit();
  void nextLeftMethod();
  void pursueSplit();
  void beginSplit();
  void leaveSplit();
  void advanceSplit();
  void drawHalves(int width, int height);
  void labelHalves(const Ink& ink, glm::vec2 window, std::span<const Ground> grounds);
  void describeHalves(OverlayView& view);
  void toggleGhost();
  void beginGhost();
  void labelGhost(const Ink& ink, glm::vec2 window) const;
  [[nodiscard]] engine::BudgetRule userBudget() const noexcept;
  /// How much longer detection takes on the machines that a split view imagines.
  [[nodiscard]] double detectionScale() const noexcept;
  /// Pixels across the picture of one flight.
  [[nodiscard]] int pictureWidth() const noexcept { return window_.width() / (split_ ? 2 : 1); }
  [[nodiscard]] PickedShips picked(glm::vec2 click) const;

  // The tour has a flight of its own, while the user's waits
  void toggleTour();
  void beginStop();
  void nextStop();
  void heedInTour(Action action);
  void followTour();
  void endTour();

  [[nodiscard]] engine::FrameInput frameInput(const FrameStep& step);
  void labelScene(const Ink& ink, glm::vec2 window, std::span<const Ground> grounds);

  /// False, with a word to the user, where it could not.
  bool restart(std::uint64_t seed);
  void toggleRun();
  void beginRun();
  void followRun(Clock::Duration budget);
  void endRun();
  /// Of the choice that this key goes on in.
  void chooseNext(Action key);
  void changeSpeed(int exponent);
  void wantMethod(Method method);
  void wantBroadPhase(const BroadPhaseEntry& chosen);
  void wantNarrowPhase(const NarrowPhaseEntry& chosen);
  void wantTrees(const engine::Scene& wanted);
  void wantScene(const std::string& name);
  [[nodiscard]] bool refusedInReplay();
  [[nodiscard]] bool refusedWhileTiming(std::string_view what);
  /// As it stands, in the order of controlTable().
  [[nodiscard]] std::vector<Control> controls();
  void showControl(std::string_view name);
  void heedGamepad(const InputEvents& events);

  /// What the mouse, arrow keys and a key that was asked for mean to the panel.
  void heedPanel(const InputEvents& events);
  // Its page of keys
  void openKeyPage();
  void closeKeyPage() noexcept;
  void actOnPanel(const ControlWish& wish);
  void heedGivenKey(KeyPress key);

  // What is remembered from one flight to the next
  void recall();
  void useSettings(const WindowSettings& settings);
  void scaleText(float scale);
  [[nodiscard]] WindowSettings settings() const;
  void toggleAsPublished();
  void toggleSpaceTimeBounds();
  void toggleRecording();
  void toggleSession();
  void takeOverReplay();
  [[nodiscard]] std::uint64_t replayTarget();
  void dropModel(const std::filesystem::path& file);
  void stop() noexcept { running_ = false; }
  void fail(const Error& error, ExitCode code = BadModelOrScene);
  void resetMeasurements();
  void warnIfTooSlow(double seconds);
  [[nodiscard]] bool reachedEnd() const noexcept;
  [[nodiscard]] bool loadingShown() const noexcept;
  [[nodiscard]] bool paced() const noexcept;
  /// How long a collision is marked, of markSeconds_.
  [[nodiscard]] double markLifetime() const noexcept;
  void passMarkTime() noexcept;
  [[nodiscard]] bool inRealTime() const noexcept;
  [[nodiscard]] double wallSeconds() const noexcept;
  /// What moves the eye, sparks and glow: the wall's clock, but the flight's own where pictures are
  /// to be the same on every machine.
  [[nodiscard]] bool picturesRepeat() const noexcept;
  [[nodiscard]] double pictureSeconds() const noexcept;
  [[nodiscard]] double pictureStep() noexcept;
  void beginFilm();
  void endFilm();
  void takePictures(const DrawFrame& frame, int width, int height);
  void togglePhoto();
  [[nodiscard]] engine::RecordHead recordHead() const;
  [[nodiscard]] OverlayView overlayView();
  int end();

  Options options_;
  Window window_;
  Renderer renderer_;
  DriverInfo driver_;
  Changeover changeover_;
  std::optional<Flight>& flight_ = changeover_.flight();
  ScreenshotWorker screenshots_;
  Recorder recorder_;
  std::optional<Film> film_;

  UiState ui_;
  Input input_;
  CameraRig cameraRig_;
  /// What photo mode goes back to; nothing outside of it.
  struct BeforePhoto {
    CameraRig rig;
    OverlayMode overlay = OverlayMode::Full;
    bool paused = false;
    DrawLevel drawLevel = DrawLevel::Contact;
  };
  std::optional<BeforePhoto> beforePhoto_;
  Camera camera_;
  CollisionMarks marks_;
  Impacts impacts_;
  ImpactSound sound_;
  SceneDrawing scene_;
  EyeTrail eyeTrail_;
  FlightCues cues_;
  DrawQualityControl quality_;
  EdgeSmoothing edges_;
  PairInspection inspection_;
  ShipDiagram diagram_;
  TimedRun run_;
  std::vector<PageGroup> runPage_;  ///< of the run that ended last
  std::string runTitle_;
  Overlay overlay_;
  ControlPanel controlPanel_;
  KeyEditor keyEditor_;
  ControlPanel keyPanel_;
  std::optional<ControlWish> wish_;  ///< of the last frame's panel
  HoverSpots spots_;
  SettingsMemory memory_;  ///< without a file nothing is remembered
  WindowSettings recalled_;
  float textScale_ = 0.0f;  ///< as chosen; 0: from the display's density
  Toasts toasts_;
  engine::FrameHistory history_;
  FrameStatistics statistics_;

  engine::ShipControl control_;
  bool stopShip_ = false;
  bool running_ = true, advanced_ = false, screenshotAsked_ = false, pictureTaken_ = false;
  /// Of a replay: what has passed since its last frame, simulation seconds, and where the user
  /// pulls it.
  double replayDue_ = 0.0;
  std::optional<std::uint64_t> replayWanted_;
  bool differenceTold_ = false;
  std::unique_ptr<engine::SessionPlayer> player_;  ///< until the loop begins
  std::filesystem::path sessionFile_;
  std::unique_ptr<SplitFlight> split_;
  std::optional<Ghost> ghost_;
  std::optional<Tour> tour_;
  HalfChoice leftHalf_;        ///< that flew last, or will
  bool splitAwaited_ = false;  ///< as soon as its trees are there
  bool eraBefore_ = false;     ///< 1995 mode, when the split view began
  SecondView leftView_;
  double turnWork_ = 0.0;  ///< seconds that both halves took to simulate
  std::array<std::string, 2> halfMethods_, halfBudgets_;
  std::string bothMethods_;
  int exitCode_ = Ok;
  std::string failure_, title_;
  std::uint64_t framesFlown_ = 0;
  /// What the last turn of the loop took, without watching; nothing after a start.
  std::optional<double> frameSeconds_;
  double turnSeconds_ = 0.0;  ///< with them
  double pictureTime_ = 0.0;  ///< of the flight, when it was drawn last
  double markSeconds_ = 0.0;  ///< of wall time by which marks fade: none while paused
  double lastStopKey_ = -1.0, slowSeconds_ = 0.0, slowToastAt_ = -1e9;
  Time started_;
  engine::FrameAccount account_;
  engine::FrameProfile profile_;
};

}  // namespace nearmiss::app
