// SPDX-License-Identifier: MIT
/// Flies a recorded session again, and compares every ship in every frame, and how many collisions
/// begin, with what was recorded.
#pragma once

#include <engine/session/session.h>
#include <nearmiss/build_progress.h>
#include <nearmiss/time_budget.h>
#include <nearmiss/worker_pool.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nearmiss::engine {

/// The first ship that is not where the recording has it.
struct SessionDifference {
  std::uint64_t frame = 0;
  std::optional<std::size_t> ship;  ///< its index; nothing: the frame itself is another
  std::string text;                 ///< a sentence
};

class SessionPlayer {
 public:
  using ShapesPtr = std::shared_ptr<const ShapeSet>;
  /// Loads what a scene flies, with the trees that it names; but that shapes may have flown with
  /// the trees of other builders. For scoutAhead() it is called on another thread, with progress by
  /// which it may be cancelled; else that is null.
  using ShapeSource = std::function<Result<ShapesPtr>(
      const Scene&, const std::vector<SessionShape>&, BuildProgress* progress)>;

  /// Stands before the first frame. A pool shares the work of frames. Errors: those of the scene
  /// and of `source`; Unsupported where a model or a tree is not the one that flew.
  static Result<std::unique_ptr<SessionPlayer>> open(RecordedSession session, ShapeSource source,
                                                     std::shared_ptr<WorkerPool> pool = nullptr);

  ~SessionPlayer();

  /// Flies the whole session on a thread of its own and leaves snapshots, so that seek() is quick
  /// everywhere before long. Where neither thread nor memory can be had, nothing happens.
  void scoutAhead();
  /// Waits until that is done.
  void awaitScout();

  /// Later frames leave no snapshots: all that is asked for is to be flown once, forwards.
  void leaveNoSnapshots() noexcept { remembers_ = false; }

  /// Later frames end early where that becomes true, which must outlive them; null: never.
  void setCancelled(const std::atomic<bool>* cancelled) noexcept;

  [[nodiscard]] RecordedSession& session() noexcept { return session_; }
  [[nodiscard]] const RecordedSession& session() const noexcept { return session_; }
  /// Frames that have been flown: the next to come has this number.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  [[nodiscard]] bool atEnd() const noexcept { return position_ == session_.frames(); }

  /// Flies the next frame; its output is valid until the next call. Errors: as open(), where a
  /// scene begins; Cancelled, as if this had not been called. @pre not atEnd()
  Result<const FrameOutput*> step();
  /// Stands after `frames` frames, with the output of the last of them. Goes on from the latest
  /// snapshot before: of parts flown once it has some. Errors: as step(). @pre 1 <= frames <= all;
  /// after leaveNoSnapshots() position() < frames
  Result<const FrameOutput*> seek(std::uint64_t frames);

  /// Frames between two snapshots: the more, the more ships fly in any of the scenes.
  [[nodiscard]] std::uint64_t framesPerSnapshot() const noexcept { return markEvery_; }

  /// The difference in all frames flown so far, here and ahead.
  [[nodiscard]] const std::optional<SessionDifference>& difference() const noexcept {
    return difference_;
  }
  [[nodiscard]] Simulation& simulation() noexcept { return *simulation_; }
  [[nodiscard]] const Simulation& simulation() const noexcept { return *simulation_; }
  /// The scene that flies, its driving method as `narrow`.
  [[nodiscard]] const Scene& scene() const noexcept { return scene_; }
  [[nodiscard]] const ShapesPtr& shapes() const noexcept { return shapes_; }
  /// Gives the world away, to be flown on live. Nothing else may be called after that but
  /// session(), scene(), shapes() and position().
  [[nodiscard]] std::unique_ptr<Simulation> release() noexcept;

 private:
  struct Mark {
    std::uint64_t frame = 0;
    std::size_t scene = 0;  ///< of the session
    Snapshot past;
  };

  SessionPlayer(RecordedSession session, ShapeSource source, std::shared_ptr<WorkerPool> pool);
  Result<Success> enter(std::size_t scene);
  Result<Success> enterDue();
  Result<ShapesPtr> shapesOf(const Scene& scene, const SessionScene& recorded);
  Result<Success> returnTo(const Mark& mark);
  [[nodiscard]] std::size_t startOf(std::size_t scene) const noexcept;
  void compare(const SessionFrame& frame, const FrameOutput& output);
  void remember();
  void keep(Mark mark);
  void collect();

  struct Scout;
  RecordedSession session_;
  ShapeSource source_;
  std::shared_ptr<WorkerPool> pool_;
  const std::atomic<bool>* cancelled_ = nullptr;
  BuildProgress* loading_ = nullptr;  ///< of a scout
  SteadyClock clock_;
  std::vector<std::pair<std::vector<SessionShape>, ShapesPtr>> known_;  ///< loaded so far
  Scene scene_;
  ShapesPtr shapes_;
  std::unique_ptr<Simulation> simulation_;
  std::size_t entered_ = 0;  ///< index of the scene that flies
  std::uint64_t position_ = 0;
  std::vector<Mark> marks_;  ///< by frame
  std::uint64_t markEvery_ = 1;
  bool remembers_ = true;
  std::unique_ptr<Scout> scout_;
  std::optional<SessionDifference> difference_;
};

}  // namespace nearmiss::engine
