// SPDX-License-Identifier: MIT
/// The bench in the window: the user moves two bodies by hand while the flight is paused.
#pragma once

#include <filesystem>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fly/flight/model_worker.h"
#include "fly/flight/newest_answer.h"
#include "fly/modes/bench/bench_hand.h"
#include "fly/modes/bench/bench_plot.h"
#include "fly/modes/mode.h"
#include "fly/panel/control_panel.h"

namespace nearmiss::app::fly {

class BenchMode : public Mode {
 public:
  [[nodiscard]] bool on() const noexcept { return before_ != nullptr; }
  /// Toggles the bench. Opens it with the previous models, at first two built-in ones.
  void toggle(FlightContext& context);
  /// Opens the bench with these models, or with the named pose file if it exists.
  void enter(FlightContext& context, const std::array<std::string, 2>& models);
  void leave(FlightContext& context);

  [[nodiscard]] const BenchSetup& setup() const noexcept { return setup_; }
  [[nodiscard]] std::size_t inHand() const noexcept { return hand_.body; }
  [[nodiscard]] bool turning() const noexcept { return hand_.turning; }
  /// Null until the first models are loaded.
  [[nodiscard]] const Bench* bench() const noexcept { return bench_.get(); }
  /// Returns true while models are loading.
  [[nodiscard]] bool loading() const noexcept { return loader_.busy(); }
  /// The current result, and whether it belongs to the current setup. shown() waits for it if
  /// `wait` is true.
  struct Shown {
    const BenchReading* reading = nullptr;  ///< null: none yet
    bool current = false;
    std::string fault;  ///< a sentence if there is no result
  };
  [[nodiscard]] Shown shown(bool wait = false);
  /// The costs measured so far with these bodies.
  [[nodiscard]] const CostPlot& plot() const noexcept { return plot_; }

  // Rows of the control panel
  void choose(FlightContext& context, const ControlInput& selection);
  [[nodiscard]] std::vector<Control> controls() const;
  void save(FlightContext& context) const;
  void load(FlightContext& context, const std::filesystem::path& file);
  [[nodiscard]] std::string csv();

  bool handle(FlightContext& context, Action action) override;
  /// A model file replaces the selected body; a pose file replaces the whole setup.
  bool drop(FlightContext& context, const std::filesystem::path& file) override;
  /// Selects the body at that pixel; next to the bodies, the mouse orbits.
  bool grab(FlightContext& context, const glm::vec2& at) override;
  /// Moves or rotates the selected body, or orbits.
  bool pull(FlightContext& context, const glm::vec2& by, bool turns) override;
  void letGo(FlightContext&) override { hand_.letGo(); }
  bool advance(FlightContext& context) override;
  bool draw(FlightContext& context, Canvas& canvas) override;
  bool label(FlightContext& context, const Ink& ink, glm::vec2 window,
             std::span<const Ground>) override;
  void describe(FlightContext& context, OverlayView& view) override;

 private:
  struct Before;
  struct Question {
    std::shared_ptr<Bench> bench;
    BenchSetup setup;
  };
  struct Answer {
    Question of;
    Result<BenchReading> reading;
  };
  static Answer answerQuestion(Question question);
  void requestModels(FlightContext& context, const BenchSetup& setup);
  void replace(FlightContext& context, const std::string& model);
  void pollModels(FlightContext& context);
  /// @pre bench_
  [[nodiscard]] BenchHand::Reach reach() noexcept { return {*bench_, scene_, setup_.poses}; }
  void resetEye(FlightContext& context);
  /// The window without the panel, pixels.
  [[nodiscard]] Rect sceneArea(const FlightContext& context) const;
  float drawNumbers(FlightContext& context, const Ink& ink, const Rect& inner, const Shown& now);
  [[nodiscard]] std::filesystem::path poseFile(const FlightContext& context) const;

  std::shared_ptr<Before> before_;  ///< null: off
  BenchSetup setup_, wanted_;       ///< `wanted_`: applied when its models are loaded
  BenchHand hand_;
  bool placed_ = false;  ///< wanted_ has its own poses
  std::shared_ptr<Bench> bench_;
  ModelWorker loader_;
  NewestAnswer<Question, Answer> reader_{answerQuestion};
  std::shared_ptr<const Answer> answer_;
  std::optional<BenchSetup> requested_;
  ControlPanel panel_;
  CostPlot plot_;
  BenchScene scene_;
  bool folded_ = false;            ///< the panel is hidden
  double still_ = 0.0;             ///< seconds since a body moved
  std::array<Pose, 2> lastPoses_;  ///< in the previous picture
};

/// Width of the panel on the left, pixels; `em` is the text height.
[[nodiscard]] float benchPanelWidth(float em, float window) noexcept;

/// A named value of the bench for the panels.
struct BenchRow {
  std::string_view name;
  std::string value;
  std::string_view words;  ///< one sentence
};
[[nodiscard]] std::vector<BenchRow> benchRows(const BenchReading& reading);

}  // namespace nearmiss::app::fly
