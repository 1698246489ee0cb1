// SPDX-License-Identifier: MIT
/// Replays a recorded session and compares every ship in every frame, and the number of collisions
/// that begin, with the recording.
#pragma once

#include <engine/session/session.h>
#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/worker_pool.h>
#include <nearmiss/time_budget.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nearmiss::engine {

/// The first ship whose state differs from the recording.
struct SessionDifference {
  std::uint64_t frame = 0;
  std::optional<std::size_t> ship;  ///< index of the ship; `nullopt`: the frame itself differs
  std::string text;                 ///< a sentence
};

class SessionPlayer {
 public:
  using ShapesPtr = std::shared_ptr<const ShapeSet>;
  /// Loads the shapes of a scene with the trees that it names; the recorded shapes may have other
  /// builders' trees. Called on another thread by scoutAhead(), with a `progress` that can cancel
  /// it; otherwise `progress` is null.
  using ShapeSource = std::function<Result<ShapesPtr>(
      const Scene&, const std::vector<SessionShape>&, BuildProgress* progress)>;

  /// Opens a session before its first frame. A pool shares the work of frames. Errors: those of the
  /// scene and of `source`; Unsupported if a model or a tree differs from the recorded one.
  static Result<std::unique_ptr<SessionPlayer>> open(RecordedSession session, ShapeSource source,
                                                     std::shared_ptr<WorkerPool> pool = nullptr);

  ~SessionPlayer();

  /// Replays the whole session on another thread and stores snapshots, so that seek() soon becomes
  /// fast everywhere. Does nothing if the thread or its memory cannot be allocated.
  void scoutAhead();
  /// Waits for scoutAhead() to finish.
  void awaitScout();

  /// Stops storing snapshots, for a caller that plays the session once, forwards.
  void disableSnapshots() noexcept { remembers_ = false; }

  /// Sets a flag that ends later frames early. It must outlive them; null: never cancel.
  void setCancelled(const std::atomic<bool>* cancelled) noexcept;

  [[nodiscard]] RecordedSession& session() noexcept { return session_; }
  [[nodiscard]] const RecordedSession& session() const noexcept { return session_; }
  /// Number of frames replayed, which is the index of the next frame.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  [[nodiscard]] bool atEnd() const noexcept { return position_ == session_.frames(); }

  /// Plays the next frame; its output is valid until the next call. Errors: as open() at the start
  /// of a scene; Cancelled, and then the state does not change.
  /// @pre not atEnd()
  Result<const FrameOutput*> step();
  /// Goes to the state after `frames` frames and returns the output of the last one. Starts from
  /// the nearest earlier snapshot; parts that were played have snapshots. Errors: as step().
  /// @pre 1 <= frames <= all; after disableSnapshots() position() < frames
  Result<const FrameOutput*> seek(std::uint64_t frames);

  /// Frames between two snapshots; larger for scenes with many ships.
  [[nodiscard]] std::uint64_t framesPerSnapshot() const noexcept { return markEvery_; }

  /// The first difference in all frames played so far, including those of scoutAhead().
  [[nodiscard]] const std::optional<SessionDifference>& difference() const noexcept {
    return difference_;
  }
  [[nodiscard]] Simulation& simulation() noexcept { return *simulation_; }
  [[nodiscard]] const Simulation& simulation() const noexcept { return *simulation_; }
  /// The current scene; its `narrow` is the method that drives.
  [[nodiscard]] const Scene& scene() const noexcept { return scene_; }
  [[nodiscard]] const ShapesPtr& shapes() const noexcept { return shapes_; }
  /// Releases the world for a live flight. Afterwards only session(), scene(), shapes() and
  /// position() may be called.
  [[nodiscard]] std::unique_ptr<Simulation> release() noexcept;

 private:
  struct Mark {
    std::uint64_t frame = 0;
    std::size_t scene = 0;  ///< index in the session
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
  struct EndScout {
    void operator()(Scout* scout) const noexcept;
  };
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
  std::size_t entered_ = 0;  ///< index of the current scene
  std::uint64_t position_ = 0;
  std::vector<Mark> marks_;  ///< by frame
  std::uint64_t markEvery_ = 1;
  bool remembers_ = true;
  std::unique_ptr<Scout, EndScout> scout_;
  std::optional<SessionDifference> difference_;
};

}  // namespace nearmiss::engine
