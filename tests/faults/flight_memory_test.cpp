// SPDX-License-Identifier: MIT
/// Every allocation of frames, of their recording and of their replay fails in turn, alone or with
/// all after it. What the libraries of JSON and TOML do is left out: their destructors allocate,
/// and end the program, which then says why.
#include <engine/interference/interference.h>
#include <engine/model/model_loader.h>
#include <engine/scene/scene.h>
#include <engine/session/session_player.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "engine/generated_shapes.h"
#include "model/isolated_call.h"
#include "support/allocations.h"
#include "support/build_kind.h"
#include "support/campaign.h"
#include "support/model_files.h"

namespace {

/// Calls that zstd has memory for; fewer than 0: for all.
int unpackingsLeft = -1;

}  // namespace

/// In place of the library's own, which takes its memory from where no test can refuse it.
extern "C" std::size_t ZSTD_decompress(void* to, std::size_t room, const void* from,
                                       std::size_t size) {
  constexpr std::size_t withoutMemory = 64;
  if (unpackingsLeft == 0) return 0 - withoutMemory;
  if (unpackingsLeft > 0) --unpackingsLeft;
  static const auto own =
      reinterpret_cast<decltype(&ZSTD_decompress)>(::dlsym(RTLD_NEXT, "ZSTD_decompress"));
  return own(to, room, from, size);
}

namespace nearmiss::engine {
namespace {

/// Flights: memory that runs out in one ends it by an exception that the program catches, or is an
/// error; nothing ends the program, and everything can be taken down without memory.
class FlightShortOfMemory : public Shapes {
 protected:
  FlightShortOfMemory() {
    scene_ = crowdedScene();
    set_ = build();
  }

  /// Calls `run(prepare())` with a shortage in it at many places. Returns how often it was cut
  /// short.
  std::size_t cutShort(const auto& prepare, const auto& run) {
    auto first = prepare();
    const std::size_t count = nearmiss::test::allocationsIn([&] { run(*first); });
    const std::size_t step =
        std::max<std::size_t>(1, count / static_cast<std::size_t>(nearmiss::test::cases(50)));
    std::size_t cut = 0;
    for (std::size_t after = 0; after < count; after += step)
      for (const std::size_t refusals : {std::size_t{1}, static_cast<std::size_t>(-1)}) {
        auto prepared = prepare();
        cut += nearmiss::test::shortOfMemory(after, refusals, [&] {
          bool whole = false;
          try {
            whole = run(*prepared);
          } catch (const std::bad_alloc&) {
          }
          // Nothing may be needed to take it down
          prepared.reset();
          return !whole;
        });
      }
    EXPECT_GT(cut, 10u);
    return cut;
  }

  /// A flight of 130 frames.
  std::filesystem::path recorded() {
    const auto file = folder_ / "x.session";
    WorkClock clock;
    SessionWriter writer;
    auto simulation = *makeSimulation(scene_, *set_, clock);
    writer.begin(sessionSceneOf(scene_, scene_.narrow, *set_, true), {{"build", "x"}});
    EXPECT_TRUE(writer.startFile(file));
    FrameInput input;
    for (int i = 0; i < 130; ++i) {
      const FrameOutput& output = simulation->advance(input);
      writer.add(input, output, simulation->world().ships());
    }
    EXPECT_TRUE(writer.close());
    return file;
  }
  [[nodiscard]] SessionPlayer::ShapeSource source() const {
    return [this](const Scene&, const std::vector<SessionShape>&,
                  BuildProgress*) -> Result<SessionPlayer::ShapesPtr> { return set_; };
  }

  Scene scene_;
  std::shared_ptr<const ShapeSet> set_;
};

struct Recording {
  WorkClock clock;
  std::unique_ptr<Simulation> simulation;
  SessionWriter writer;
};

TEST_F(FlightShortOfMemory, EndsWithoutHarmWhileItFliesAndRecords) {
  const auto file = folder_ / "x.session";
  const auto prepare = [&] {
    auto all = std::make_unique<Recording>();
    all->simulation = *makeSimulation(scene_, *set_, all->clock);
    all->writer.begin(sessionSceneOf(scene_, scene_.narrow, *set_, true), {{"build", "x"}});
    EXPECT_TRUE(all->writer.startFile(file));
    return all;
  };
  cutShort(prepare, [&](Recording& all) {
    FrameInput input;
    for (int i = 0; i < 130; ++i) {
      const FrameOutput& output = all.simulation->advance(input);
      all.writer.add(input, output, all.simulation->world().ships());
    }
    return all.writer.close().has_value();
  });
  // The last was cut short too, and has all of its whole blocks
  const auto last = RecordedSession::read(file);
  EXPECT_TRUE(last || !last.error().message.empty());
}

/// Neither a torn frame nor a block that is there twice: a file with either is refused altogether.
TEST_F(FlightShortOfMemory, KeepsAllWholeBlocksOfARecording) {
  const auto file = folder_ / "x.session";
  const SessionScene scene = sessionSceneOf(scene_, scene_.narrow, *set_, true);
  SessionFrame small, large;
  small.ships.assign(10, 7);
  large.ships.assign(30'000, 7);
  large.acts.resize(2);
  const auto recording = [&] {
    auto writer = std::make_unique<SessionWriter>();
    writer->begin(scene, {});
    EXPECT_TRUE(writer->startFile(file));
    for (int i = 0; i < 115; ++i) writer->add(small);
    return writer;
  };
  const auto goesOn = [&](SessionWriter& writer) {
    for (int i = 0; i < 8; ++i) writer.add(large);
  };
  const auto whole = recording();
  const std::size_t count = nearmiss::test::allocationsIn([&] { goesOn(*whole); });
  std::size_t cut = 0;
  for (std::size_t after = 0; after < count; ++after) {
    auto writer = recording();
    cut += nearmiss::test::shortOfMemory(after, 1, [&] {
      try {
        goesOn(*writer);
        return false;
      } catch (const std::bad_alloc&) {
        return true;
      }
    });
    // One may go on, another ends
    if (after % 2) writer->add(small);
    writer.reset();
    const auto read = RecordedSession::read(file);
    ASSERT_TRUE(read) << after << ": " << read.error().message;
    EXPECT_EQ(read->warning(), "");
    EXPECT_GE(read->frames(), 115u);
  }
  EXPECT_GT(cut, 10u);
}

TEST_F(FlightShortOfMemory, EndsWithoutHarmWhileItIsReplayed) {
  const auto session = RecordedSession::read(recorded());
  ASSERT_TRUE(session);
  cutShort([&] { return *SessionPlayer::open(*session, source()); },
           [](SessionPlayer& player) {
             while (!player.atEnd())
               if (!player.step()) return false;
             EXPECT_FALSE(player.difference());
             return player.seek(40).has_value();
           });
}

/// A sound session is no damaged one, and nothing is read that was not unpacked.
TEST_F(FlightShortOfMemory, IsReadWholeOrNotWhereZstdLacksMemory) {
  const auto file = recorded();
  for (const int calls : {0, 1, 2}) {
    unpackingsLeft = calls;
    const auto read = RecordedSession::read(file);
    unpackingsLeft = -1;
    ASSERT_FALSE(read) << calls;
    EXPECT_EQ(read.error().code, ErrorCode::OutOfMemory);
    EXPECT_THAT(read.error().message, testing::HasSubstr("not enough memory"));
  }
  auto session = *RecordedSession::read(file);
  const auto player = *SessionPlayer::open(session, source());
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(player->step());
  for (int i = 0; i < 2; ++i) {
    unpackingsLeft = 0;
    EXPECT_THROW((void)player->step(), std::bad_alloc);
    EXPECT_THROW((void)session.frame(0), std::bad_alloc);
    unpackingsLeft = -1;
    EXPECT_EQ(player->position(), 60u);
  }
  while (!player->atEnd()) ASSERT_TRUE(player->step());
  EXPECT_FALSE(player->difference());
}

/// Half of a block may be unpacked when memory runs out.
TEST_F(FlightShortOfMemory, HasTheFramesOfNoOtherBlock) {
  auto session = *RecordedSession::read(recorded());
  std::vector<std::vector<std::uint16_t>> ships;
  for (std::uint64_t n = 0; n < session.frames(); ++n) ships.push_back(session.frame(n).ships);
  const auto same = [&](std::uint64_t n) { return session.frame(n).ships == ships[n]; };
  std::size_t cut = 0;
  for (std::size_t after = 0; after < 200; ++after) {
    EXPECT_TRUE(same(3));
    cut += nearmiss::test::shortOfMemory(after, 1, [&] {
      try {
        return !same(62);
      } catch (const std::bad_alloc&) {
        return true;
      }
    });
    for (const std::uint64_t n : {0u, 20u, 59u, 60u, 61u, 119u}) EXPECT_TRUE(same(n)) << n;
  }
  EXPECT_GT(cut, 100u);
}

/// A recording that has lost a block says that it has not the start.
TEST_F(FlightShortOfMemory, GoesBackInARecordingOrForgetsItsStart) {
  const SessionScene scene = sessionSceneOf(scene_, scene_.narrow, *set_, true);
  SessionFrame frame;
  frame.ships.assign(10, 7);
  frame.granted.resize(2);
  const auto file = folder_ / "x.session";
  std::size_t forgot = 0, kept = 0;
  for (std::size_t after = 0; after < 20; ++after) {
    SessionWriter writer;
    writer.begin(scene, {});
    for (int i = 0; i < 130; ++i) writer.add(frame);
    (void)nearmiss::test::shortOfMemory(after, 1, [&] {
      writer.dropLast(100);
      return true;
    });
    EXPECT_EQ(writer.framesKept(), 30u);
    ++(writer.includesStart() ? kept : forgot);
    if (!writer.includesStart()) continue;
    for (int i = 0; i < 40; ++i) writer.add(frame);
    ASSERT_TRUE(writer.saveCopy(file));
    EXPECT_EQ(RecordedSession::read(file)->frames(), 70u);
  }
  EXPECT_GT(forgot, 3u);
  EXPECT_GT(kept, 3u);
}

/// A thread that flies ahead has nobody to catch what it throws. It begins with the scene, which is
/// as foreign as JSON.
TEST_F(FlightShortOfMemory, EndsNoProgramWhileItIsScoutedAhead) {
  const auto file = recorded();
  const auto open = [&] { return *SessionPlayer::open(*RecordedSession::read(file), source()); };
  const std::size_t begin = 2 * nearmiss::test::allocationsIn([&] { open(); });
  for (std::size_t after = 0; after < 2000; after += 1 + after / 10) {
    const auto player = open();
    const bool lived =
        nearmiss::test::shortOfMemory(begin + after, static_cast<std::size_t>(-1), [&] {
          player->scoutAhead();
          player->awaitScout();
          return true;
        });
    EXPECT_TRUE(lived);
    const auto last = player->seek(player->session().frames());
    ASSERT_TRUE(last) << last.error().message;
    EXPECT_FALSE(player->difference());
  }
}

/// Shapes are read by threads, which have nobody to catch what they throw.
TEST_F(FlightShortOfMemory, FindsInterferenceOrSaysWhyNot) {
  if (nearmiss::test::isThreadSanitized)
    GTEST_SKIP() << "the Thread sanitizer breaks off where memory runs out as a thread starts";
  std::string text;
  for (const auto& file : files_)
    for (int i = 0; i < 2; ++i)
      text += "[[objects]]\nmodel = \"" + file.string() + "\"\nposition = [" + std::to_string(i) +
              ", 0, 0]\n";
  const auto layout = nearmiss::test::writeText(folder_ / "layout.toml", text);
  const auto scene = readStillScene(layout, folder_ / "store", "octree");
  ASSERT_TRUE(scene) << scene.error().message;
  std::size_t pairs = 0;
  const std::size_t count =
      nearmiss::test::allocationsIn([&] { pairs = findInterference(*scene, {})->pairs; });
  ASSERT_GT(pairs, 3u);
  const std::size_t step =
      std::max<std::size_t>(1, count / static_cast<std::size_t>(nearmiss::test::cases(60)));
  std::size_t refused = 0;
  for (std::size_t after = 0; after < count; after += after < 60 ? 1 : step) {
    const auto found = nearmiss::test::shortOfMemory(after, static_cast<std::size_t>(-1),
                                                     [&] { return findInterference(*scene, {}); });
    refused += !found;
    if (found) {
      EXPECT_EQ(found->pairs, pairs);
    } else {
      EXPECT_EQ(found.error().code, ErrorCode::OutOfMemory) << found.error().message;
    }
  }
  EXPECT_GT(refused, 40u);

  // Nor has a thread memory to say what else is wrong
  std::filesystem::remove(scene->shapes[0].file);
  const std::size_t less =
      nearmiss::test::allocationsIn([&] { EXPECT_FALSE(findInterference(*scene, {})); });
  for (std::size_t after = 0; after < std::min<std::size_t>(less, 300); ++after)
    EXPECT_FALSE(
        nearmiss::test::shortOfMemory(after, 1, [&] { return findInterference(*scene, {}); }));
}

TEST_F(FlightShortOfMemory, LoadsItsModelsOrSaysWhyNot) {
  nearmiss::test::writeText(folder_ / "x.glb", nearmiss::test::asGlb(nearmiss::test::cube()));
  std::size_t refused = 0, loaded = 0;
  std::vector files{folder_ / "torus.obj"};
  // Destructors of the foreign reader allocate: without memory they end its process
  if (canIsolate()) files.push_back(folder_ / "x.glb");
  for (const auto& file : files)
    for (std::size_t after = 0; after < 2000; after += after < 60 ? 1 : 37) {
      // The reader is a process of its own, with the same shortage
      const auto model = nearmiss::test::shortOfMemory(after, static_cast<std::size_t>(-1),
                                                       [&] { return loadModel(file); });
      ++(model ? loaded : refused);
      if (model) {
        EXPECT_GT(model->mesh.triangles.size(), 11u);
        continue;
      }
      // A foreign reader may break off: in a process of its own that is a sentence too
      EXPECT_THAT(model.error().code,
                  testing::AnyOf(ErrorCode::OutOfMemory, ErrorCode::TooLarge, ErrorCode::BadFormat))
          << file << " after " << after << ": " << model.error().message;
    }
  EXPECT_GT(refused, 40u * files.size());
  EXPECT_GT(loaded, 3u);
}

}  // namespace
}  // namespace nearmiss::engine
