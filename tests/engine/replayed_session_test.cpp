// SPDX-License-Identifier: MIT
/// What a replay compares, loads and keeps in memory, and what it tells of frames ahead.
#include <engine/session/session.h>
#include <engine/session/session_player.h>
#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/generated_shapes.h"

namespace nearmiss::engine {
namespace {

using testing::HasSubstr;

class ReplayedSession : public Shapes {
 protected:
  /// Adds a flight of some frames that begins with a scene.
  void record(SessionWriter& writer, const Scene& scene, int frames) {
    const auto set = load(scene);
    ASSERT_TRUE(set) << set.error().message;
    WorkClock clock;
    const auto simulation = *makeSimulation(scene, **set, clock);
    writer.begin(sessionSceneOf(scene, scene.narrow, **set, true), {});
    if (!writer.writing()) {
      ASSERT_TRUE(writer.startFile(file_));
    }
    FrameInput input;
    for (int i = 0; i < frames; ++i) {
      const FrameOutput& output = simulation->advance(input);
      collisions_ += output.collisions.size();
      writer.add(input, output, simulation->world().ships());
    }
  }
  /// Writes the file again, each frame as `change(n, frame)` leaves it.
  void rewrite(const auto& change) {
    auto session = *RecordedSession::read(file_);
    SessionWriter writer;
    writer.begin(session.scenes().front().scene, session.head());
    for (std::uint64_t n = 0; n < session.frames(); ++n) {
      SessionFrame frame = session.frame(n);
      change(n, frame);
      writer.add(frame);
    }
    ASSERT_TRUE(writer.saveCopy(file_));
  }
  Result<SessionPlayer::ShapesPtr> load(const Scene& scene) const {
    const auto files = modelFilesOf(scene);
    if (!files) return files.error();
    return buildShapeSet(*files, options_);
  }
  std::unique_ptr<SessionPlayer> play() const {
    auto session = RecordedSession::read(file_);
    EXPECT_TRUE(session) << session.error().message;
    auto player = SessionPlayer::open(*std::move(session),
                                      [this](const Scene& scene, const std::vector<SessionShape>&,
                                             BuildProgress*) { return load(scene); });
    EXPECT_TRUE(player) << player.error().message;
    return *std::move(player);
  }

  const std::filesystem::path file_ = folder_ / "flight.session";
  std::size_t collisions_ = 0;
};

// A page has bytes instead of files, and shapes that were built elsewhere
TEST_F(ReplayedSession, ComesFromBytesAndReadyShapes) {
  {
    SessionWriter writer;
    record(writer, crowdedScene(), 70);
    ASSERT_TRUE(writer.close());
  }
  const auto fromFile = play();
  ASSERT_TRUE(fromFile->seek(70));

  std::string bytes = test::readText(file_);
  auto session = RecordedSession::fromBytes(bytes, "in memory");
  ASSERT_TRUE(session) << session.error().message;
  const auto ready = [this](const Scene& scene, const std::vector<SessionShape>&,
                            BuildProgress*) -> Result<SessionPlayer::ShapesPtr> {
    const auto built = load(scene);
    if (!built) return built.error();
    const auto about = (*built)->shapes();
    return ShapeSet::of({about.begin(), about.end()}, (*built)->collision());
  };
  const auto player = SessionPlayer::open(*std::move(session), ready);
  ASSERT_TRUE(player) << player.error().message;
  ASSERT_TRUE((*player)->seek(70));
  EXPECT_FALSE((*player)->difference());
  EXPECT_EQ(stateHash((*player)->simulation().world().ships()),
            stateHash(fromFile->simulation().world().ships()));

  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
  const auto damaged = RecordedSession::fromBytes(bytes, "in memory");
  ASSERT_FALSE(damaged);
  EXPECT_THAT(damaged.error().message, HasSubstr("\"in memory\" is damaged"));
}

TEST_F(ReplayedSession, StaysBeforeASceneThatCannotBeMade) {
  {
    SessionWriter writer;
    record(writer, crowdedScene(), 10);
    const Scene scene = crowdedScene();
    const auto set = load(scene);
    ASSERT_TRUE(set);
    writer.begin(sessionSceneOf(scene, "nonsense", **set, true), {});
    WorkClock clock;
    const auto simulation = *makeSimulation(scene, **set, clock);
    FrameInput input;
    writer.add(input, simulation->advance(input), simulation->world().ships());
  }
  const auto player = play();
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(player->step());
  for (int i = 0; i < 2; ++i) {
    const auto refused = player->step();
    ASSERT_FALSE(refused) << "the frames of the next scene in the world of this one";
    EXPECT_THAT(refused.error().message, HasSubstr("nonsense"));
  }
}

/// A file of some megabytes may have a million scenes before a frame.
TEST_F(ReplayedSession, EntersNoSceneThatNoFrameFliesWith) {
  const Scene scene = crowdedScene();
  const auto set = load(scene);
  ASSERT_TRUE(set);
  {
    SessionWriter writer;
    record(writer, scene, 5);
    SessionScene change = sessionSceneOf(scene, scene.narrow, **set, true);
    for (int i = 0; i < 40; ++i) {
      change.restart = i == 10 || i == 20;
      change.shapes[0].treeBuilder = "builder " + std::to_string(i);
      writer.begin(change, {});
    }
    record(writer, scene, 5);
    writer.begin(change, {});
    record(writer, scene, 5);
  }
  std::vector<std::string> loaded;
  auto player = *SessionPlayer::open(
      *RecordedSession::read(file_),
      [&](const Scene& wanted, const std::vector<SessionShape>& shapes, BuildProgress*) {
        loaded.push_back(shapes[0].treeBuilder);
        return load(wanted);
      });
  EXPECT_EQ(player->session().scenes().size(), 44u);
  while (!player->atEnd()) ASSERT_TRUE(player->step());
  EXPECT_FALSE(player->difference());
  EXPECT_EQ(loaded.size(), 1u) << "nothing but what flew";
}

TEST_F(ReplayedSession, StandsBeforeAFrameThatIsGivenUp) {
  {
    SessionWriter writer;
    record(writer, crowdedScene(), 20);
  }
  rewrite([](std::uint64_t n, SessionFrame& frame) {
    if (n == 10) frame.dt = maxFrameSeconds;
  });
  const auto player = play();
  const std::atomic<bool> cancelled{true};
  player->setCancelled(&cancelled);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(player->step());
  for (int i = 0; i < 2; ++i) {
    const auto given = player->step();
    ASSERT_FALSE(given);
    EXPECT_EQ(given.error().code, ErrorCode::Cancelled);
    EXPECT_EQ(player->position(), 10u);
  }
  EXPECT_FALSE(player->difference());
  // Whoever goes waits for no scout in such a frame
  player->scoutAhead();
}

TEST_F(ReplayedSession, ComparesHowManyCollisionsBegin) {
  {
    SessionWriter writer;
    record(writer, crowdedScene(), 100);
  }
  EXPECT_GT(collisions_, 3u);
  rewrite([](std::uint64_t n, SessionFrame& frame) { frame.collisions += n == 37; });
  const auto player = play();
  while (!player->atEnd()) ASSERT_TRUE(player->step());
  ASSERT_TRUE(player->difference());
  EXPECT_EQ(player->difference()->frame, 37u);
  EXPECT_EQ(player->difference()->text, "frame 37: other collisions were recorded");
}

TEST_F(ReplayedSession, TellsOfADifferenceAheadWhoAwaitsItsScout) {
  {
    SessionWriter writer;
    record(writer, crowdedScene(), 100);
  }
  rewrite([](std::uint64_t n, SessionFrame& frame) {
    if (n == 71) frame.ships[2] ^= 1;
  });
  const auto player = play();
  player->scoutAhead();
  player->awaitScout();
  ASSERT_TRUE(player->difference());
  EXPECT_EQ(player->difference()->frame, 71u);
  EXPECT_EQ(player->position(), 0u);
}

/// Whoever goes waits for no trees that are built ahead.
TEST_F(ReplayedSession, CancelsWhatItsScoutLoads) {
  {
    SessionWriter writer;
    record(writer, crowdedScene(), 5);
    SessionScene other =
        sessionSceneOf(crowdedScene(), crowdedScene().narrow, **load(crowdedScene()), true);
    other.shapes[0].treeBuilder = "slow";
    writer.begin(other, {});
    writer.add(SessionFrame{});
  }
  std::atomic<bool> loading{false}, cancelled{false};
  auto player =
      *SessionPlayer::open(*RecordedSession::read(file_),
                           [&](const Scene& scene, const std::vector<SessionShape>& shapes,
                               BuildProgress* progress) -> Result<SessionPlayer::ShapesPtr> {
                             if (shapes[0].treeBuilder != "slow") return load(scene);
                             loading = true;
                             while (progress && !progress->cancelled) std::this_thread::yield();
                             cancelled = progress && progress->cancelled;
                             return Error{ErrorCode::Cancelled, "cancelled"};
                           });
  player->scoutAhead();
  while (!loading) std::this_thread::yield();
  player.reset();
  EXPECT_TRUE(cancelled);
}

/// A copy of a project in another folder has the same meshes by the same names.
TEST_F(ReplayedSession, LoadsTheModelsOfEachScene) {
  const auto copies = folder_ / "copies";
  std::filesystem::create_directory(copies);
  Scene copied = crowdedScene();
  for (std::string* model : {&copied.playerModel, &copied.drones[0].model}) {
    const auto copy = copies / std::filesystem::path(*model).filename();
    std::filesystem::copy_file(*model, copy);
    *model = copy.string();
  }
  {
    SessionWriter writer;
    for (const Scene& scene : {crowdedScene(), copied}) record(writer, scene, 20);
  }
  const auto player = play();
  while (!player->atEnd()) {
    const auto frame = player->step();
    ASSERT_TRUE(frame) << frame.error().message;
  }
  EXPECT_FALSE(player->difference());
  EXPECT_THAT(player->shapes()->shapes()[0].file.string(), HasSubstr("copies"));
}

/// Snapshots of a crowd take more memory than those of the few ships that flew first.
TEST_F(ReplayedSession, KeepsFewerSnapshotsWhereAnySceneIsLarge) {
  SessionWriter writer;
  record(writer, crowdedScene(), 10);
  const auto set = build();
  writer.begin(sessionSceneOf(crowdedScene(), crowdedScene().narrow, *set, true), {});
  SessionFrame large;
  large.ships.assign(50'000, 0);
  for (int i = 0; i < 50; ++i) writer.add(large);
  ASSERT_TRUE(writer.close());
  EXPECT_EQ(play()->framesPerSnapshot(), 20u) << "three have 225 MB, four would have 300";
}

}  // namespace
}  // namespace nearmiss::engine
