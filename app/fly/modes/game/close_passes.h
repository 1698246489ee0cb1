// SPDX-License-Identifier: MIT
/// The closest passes of a run or mission, and their replay in slow motion.
#pragma once

#include <engine/flight/near_misses.h>

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fly/choices/ui_state.h"
#include "fly/gfx/camera.h"
#include "fly/modes/mode.h"
#include "fly/overlay/views.h"
#include "fly/view/surroundings.h"

namespace nearmiss::app::fly {

/// The poses of all ships at the end of a frame.
struct PosedFrame {
  double time = 0.0;        ///< simulation seconds
  std::vector<Pose> poses;  ///< by body
};

struct ClosePass {
  engine::NearMiss miss;
  /// Tightest bound that detection had on the distance during the pass, metres; infinite if it
  /// proved at once that the ships do not touch.
  double bound = 0.0;
  std::vector<PosedFrame> frames;  ///< around the pass, oldest first

  /// "bound 31.0 cm, true gap 12.0 cm".
  [[nodiscard]] std::string words() const;
};

/// Remembers the closest passes while a run is flown.
class ClosePasses {
 public:
  static constexpr std::size_t most = 3, maxShips = 300;
  static constexpr double around = 0.9;  ///< simulation seconds kept before and after a pass

  void clear();
  /// Processes a frame; `passes` are those that ended in it.
  void take(const engine::FrameOutput& output, std::size_t user,
            std::span<const engine::NearMiss> passes);
  /// Call at the end of the run: passes without frames after them count too.
  void finish();
  /// Closest first.
  [[nodiscard]] std::span<const ClosePass> best() const noexcept { return best_; }

 private:
  void keep(const ClosePass& pass);

  std::deque<PosedFrame> recent_;
  std::vector<ClosePass> pending_;  ///< their later frames are still to come
  std::vector<ClosePass> best_;
};

/// Lists the passes for the page at the end of a run.
[[nodiscard]] PageGroup passesGroup(const FlightContext& context);

/// Shows the passes from the page at the end of a run: Enter starts, and goes to the next one.
class PassReplay : public Mode {
 public:
  static constexpr double speed = 1.0 / 8.0;

  [[nodiscard]] bool on() const noexcept { return shown_.has_value(); }
  /// Processes a frame of the user's flight while points are counted.
  void follow(FlightContext& context);
  void clear(FlightContext& context);
  /// Call at the end of a run.
  void finish() { passes_.finish(); }
  [[nodiscard]] const ClosePasses& passes() const noexcept { return passes_; }
  /// Returns the line of the pass that is shown.
  [[nodiscard]] std::string line() const;
  void leave(FlightContext& context);

  bool handle(FlightContext& context, Action action) override;
  bool advance(FlightContext& context) override;
  bool label(FlightContext& context, const Ink& ink, glm::vec2 window,
             std::span<const Ground> grounds) override;

 private:
  void show(FlightContext& context, std::size_t pass);
  void place(FlightContext& context);
  void toggleFilm(FlightContext& context);
  void endFilm(FlightContext& context);

  ClosePasses passes_;
  std::optional<std::size_t> shown_;  ///< index among the best
  double time_ = 0.0;                 ///< simulation seconds
  bool filming_ = false;
  std::string file_;               ///< of the film
  std::vector<BodyState> bodies_;  ///< as shown
  // Before the replay
  CameraRig rig_;
  PickedShips picked_;
  Surroundings surroundings_;
};

}  // namespace nearmiss::app::fly
