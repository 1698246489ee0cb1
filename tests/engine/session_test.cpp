// SPDX-License-Identifier: MIT
/// Recorded sessions: what is written is read, flown again and compared; what is not whole is
/// refused or told.
#include <engine/session/session.h>
#include <engine/session/session_player.h>
#include <gmock/gmock.h>
#include <nearmiss/rivals/catalog.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/generated_shapes.h"
#include "support/manual_clock.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::readText;
using nearmiss::test::writeText;
using testing::HasSubstr;

class Session : public Shapes {
 protected:
  Session() {
    scene_ = crowdedScene();
    scene_.name = "session";
    scene_.response = Response::Bounce;
    set_ = build();
  }

  static FrameInput inputOf(int i) {
    FrameInput input;
    input.control.thrust = i % 50 < 35 ? 1.0 : -0.5;
    input.control.yaw = 0.1 * (i % 7);
    input.stopShip = i % 61 == 60;
    input.dt = 0.02 + 0.001 * (i % 5);
    input.detectStep = 0.01;
    input.detectionBudget = std::chrono::nanoseconds(11 + i % 5);
    return input;
  }
  /// What a hand does in that frame: to ships, to one that is not there, with nothing to shoot.
  static std::vector<HandAct> actsOf(int i) {
    if (i % 4) return {};
    const auto ship = static_cast<std::uint32_t>(1 + i % 12);
    return {{HandAct::Kind::Put, ship, {0.1 * (i % 9), -0.3, 1.0}, {0.0, 0.2 * (i % 5), 0.1}},
            {HandAct::Kind::Shoot, 0, {}, {}},
            {HandAct::Kind::Push, ship % 5, {}, {0.1, 0.0, -0.1 * (i % 3)}},
            {HandAct::Kind::Steer, 1 + ship % 7, {}, {}, {1.0, 0.1 * (i % 4), -0.2, 0.3}},
            {HandAct::Kind::Shoot, ship, {}, {}}};
  }

  /// A flight of `frames` frames with two detectors and a restart, on a clock that cuts it short.
  std::vector<std::uint64_t> record(SessionWriter& writer, int frames) {
    ManualClock clock(std::chrono::nanoseconds(1));
    std::unique_ptr<Simulation> simulation;
    std::vector<std::uint64_t> states;
    Scene scene = scene_;
    const auto begin = [&](bool restart) {
      if (restart) simulation = *makeSimulation(scene, *set_, clock);
      simulation->setDetector(*makeDetector(broadPhaseOf(scene), scene.narrow, *set_));
      writer.begin(sessionSceneOf(scene, scene.narrow, *set_, restart), {{"build", "this one"}});
    };
    begin(true);
    for (int i = 0; i < frames; ++i) {
      if (i == frames / 3) {
        scene.narrow = "obb-tree";
        begin(false);
      }
      if (i == frames / 2) {
        scene.seed = 99;
        begin(true);
      }
      const FrameInput input = inputOf(i);
      const FrameOutput& output = simulation->advance(input);
      exhausted_ += output.profile.exhausted;
      collisions_ += output.collisions.size();
      writer.add(input, output, simulation->world().ships());
      states.push_back(stateHash(simulation->world().ships()));
    }
    return states;
  }

  /// Recorded, closed, and its states.
  std::vector<std::uint64_t> recordTo(const std::filesystem::path& file, int frames) {
    SessionWriter writer;
    writer.begin(sessionSceneOf(scene_, scene_.narrow, *set_, true), {{"build", "this one"}});
    EXPECT_TRUE(writer.startFile(file));
    const auto states = record(writer, frames);
    EXPECT_TRUE(writer.close());
    return states;
  }

  [[nodiscard]] SessionPlayer::ShapeSource source() const {
    return [this](const Scene&, const std::vector<SessionShape>&,
                  BuildProgress*) -> Result<SessionPlayer::ShapesPtr> { return set_; };
  }

  std::unique_ptr<SessionPlayer> play(const std::filesystem::path& file) const {
    auto session = RecordedSession::read(file);
    EXPECT_TRUE(session) << session.error().message;
    auto player = SessionPlayer::open(*std::move(session), source());
    EXPECT_TRUE(player) << player.error().message;
    return *std::move(player);
  }

  Scene scene_;
  std::shared_ptr<const ShapeSet> set_;
  std::size_t exhausted_ = 0, collisions_ = 0;
  const std::filesystem::path file_ = folder_ / "flight.session";
};

TEST_F(Session, IsFlownAgainBitForBit) {
  const auto states = recordTo(file_, 400);
  EXPECT_GT(exhausted_, 50u) << "the clock must matter";
  EXPECT_GT(collisions_, 30u);
  const auto player = play(file_);
  EXPECT_EQ(player->session().headValue("build"), "this one");
  EXPECT_EQ(player->session().warning(), "");
  ASSERT_EQ(player->session().frames(), states.size());
  for (const std::uint64_t state : states) {
    ASSERT_TRUE(player->step());
    ASSERT_EQ(stateHash(player->simulation().world().ships()), state)
        << "frame " << player->position();
  }
  EXPECT_TRUE(player->atEnd());
  EXPECT_FALSE(player->difference());
}

/// Version 1 of scenes had another name for the method.
TEST_F(Session, OfTheFirstSceneVersionFliesTheMethodThatItMeant) {
  scene_.broad = "space-time-queue";
  SessionScene recorded = sessionSceneOf(scene_, scene_.narrow, *set_, true);
  for (const auto& [now, then] :
       {std::pair{"version = 2\n", "version = 1\n"}, std::pair{"space-time-queue", "space-time"}}) {
    const std::size_t at = recorded.text.find(now);
    ASSERT_NE(at, std::string::npos);
    recorded.text.replace(at, std::string_view(now).size(), then);
  }
  ManualClock clock(std::chrono::nanoseconds(1));
  const auto simulation = *makeSimulation(scene_, *set_, clock);
  SessionWriter writer;
  writer.begin(recorded, {{"build", "that one"}});
  ASSERT_TRUE(writer.startFile(file_));
  for (int i = 0; i < 90; ++i) {
    const FrameOutput& output = simulation->advance(inputOf(i));
    writer.add(inputOf(i), output, simulation->world().ships());
  }
  ASSERT_TRUE(writer.close());
  const auto player = play(file_);
  while (!player->atEnd()) ASSERT_TRUE(player->step());
  EXPECT_FALSE(player->difference());
  EXPECT_EQ(player->simulation().detector().broadPhase().name(), "space-time-queue");
}

TEST_F(Session, IsSoughtToAnyFrame) {
  const auto states = recordTo(file_, 300);
  const auto player = play(file_);
  for (const std::uint64_t to :
       {250u, 3u, 1u, 300u, 149u, 151u, 99u, 101u, 102u, 299u, 100u, 150u}) {
    const auto output = player->seek(to);
    ASSERT_TRUE(output) << output.error().message;
    EXPECT_EQ(player->position(), to);
    ASSERT_TRUE(*output != nullptr || to == player->position());
    EXPECT_EQ(stateHash(player->simulation().world().ships()), states[to - 1]) << "frame " << to;
    EXPECT_FALSE(player->difference()) << to << ": " << player->difference()->text;
  }
  EXPECT_FALSE(player->difference());
}

TEST_F(Session, IsScoutedAheadOfWhoReplaysIt) {
  const auto states = recordTo(file_, 300);
  const auto player = play(file_);
  player->scoutAhead();
  for (const std::uint64_t to : {1u, 2u, 280u, 30u}) {
    ASSERT_TRUE(player->seek(to));
    EXPECT_EQ(stateHash(player->simulation().world().ships()), states[to - 1]) << "frame " << to;
    if (to == 2) player->awaitScout();
  }
  EXPECT_FALSE(player->difference());
  // One who replays no more leaves its scout where it is
  play(file_)->scoutAhead();
}

TEST_F(Session, WithActsOfTheHandIsFlownAgainBitForBit) {
  ManualClock clock(std::chrono::nanoseconds(1));
  const auto simulation = *makeSimulation(scene_, *set_, clock);
  SessionWriter writer;
  writer.begin(sessionSceneOf(scene_, scene_.narrow, *set_, true), {});
  std::size_t acts = 0;
  for (int i = 0; i < 150; ++i) {
    FrameInput input = inputOf(i);
    const std::vector<HandAct> hands = actsOf(i);
    input.acts = hands;
    acts += hands.size();
    writer.add(input, simulation->advance(input), simulation->world().ships());
  }
  ASSERT_TRUE(writer.startFile(file_));
  ASSERT_TRUE(writer.close());
  const auto player = play(file_);
  std::size_t read = 0;
  while (!player->atEnd()) {
    read += player->session().frame(player->position()).acts.size();
    ASSERT_TRUE(player->step());
  }
  EXPECT_FALSE(player->difference()) << player->difference()->text;
  EXPECT_EQ(read, acts);
  EXPECT_EQ(stateHash(player->simulation().world().ships()),
            stateHash(simulation->world().ships()));
}

/// Earlier versions have fewer kinds of acts. Everything else is the same.
TEST_F(Session, OfEarlierVersionsIsFlownAgain) {
  const auto states = recordTo(file_, 120);
  std::string bytes = readText(file_);
  ASSERT_EQ(bytes[16], 3);
  for (const char version : {1, 2}) {
    bytes[16] = version;
    const auto player = play(writeText(folder_ / "earlier.session", bytes));
    while (!player->atEnd()) ASSERT_TRUE(player->step());
    EXPECT_FALSE(player->difference());
    EXPECT_EQ(stateHash(player->simulation().world().ships()), states.back());
  }
}

/// A flight of 130 frames that is flown back to every kind of place in a block, and flown on.
TEST_F(Session, OfAFlightThatWasFlownBackHasWhatWasFlownInTheEnd) {
  for (const std::uint64_t at : {0u, 1u, 43u, 59u, 60u, 61u, 119u, 120u, 129u, 130u}) {
    ManualClock clock(std::chrono::nanoseconds(1));
    auto simulation = *makeSimulation(scene_, *set_, clock);
    const auto sceneOf = [&](bool restart) {
      return sessionSceneOf(scene_, scene_.narrow, *set_, restart);
    };
    SessionWriter writer;
    writer.begin(sceneOf(true), {{"build", "this one"}});
    const auto flyOn = [&](int i) {
      const FrameInput input = inputOf(i);
      writer.add(input, simulation->advance(input), simulation->world().ships());
    };
    std::vector<Snapshot> past;
    for (int i = 0; i < 130; ++i) {
      past.push_back(simulation->snapshot());
      flyOn(i);
    }
    past.push_back(simulation->snapshot());
    simulation->restore(past[at]);
    simulation->setDetector(*makeDetector(broadPhaseOf(scene_), scene_.narrow, *set_));
    writer.dropLast(130 - at);
    EXPECT_EQ(writer.framesKept(), at);
    writer.begin(sceneOf(at == 0), {{"build", "this one"}});
    for (int i = 200; i < 290; ++i) flyOn(i);
    ASSERT_TRUE(writer.startFile(file_));
    ASSERT_TRUE(writer.close());
    const auto player = play(file_);
    EXPECT_EQ(player->session().frames(), at + 90);
    while (!player->atEnd()) ASSERT_TRUE(player->step());
    EXPECT_FALSE(player->difference()) << at << ": " << player->difference()->text;
    EXPECT_EQ(stateHash(player->simulation().world().ships()),
              stateHash(simulation->world().ships()));
  }
}

TEST_F(Session, OfWhichOneShipDiffersIsToldByFrameAndShip) {
  recordTo(file_, 200);
  auto session = *RecordedSession::read(file_);
  SessionWriter writer;
  for (std::uint64_t n = 0, next = 0; n < session.frames(); ++n) {
    for (; next < session.scenes().size() && session.scenes()[next].frame == n; ++next)
      writer.begin(session.scenes()[next].scene, session.head());
    SessionFrame frame = session.frame(n);
    if (n == 137) frame.ships[4] ^= 1;
    writer.add(frame);
  }
  // As it began again half-way, memory has the second part alone
  ASSERT_TRUE(writer.startFile(folder_ / "other.session"));
  ASSERT_TRUE(writer.close());
  const auto player = play(folder_ / "other.session");
  while (!player->atEnd()) ASSERT_TRUE(player->step());
  ASSERT_TRUE(player->difference());
  EXPECT_EQ(player->difference()->frame, 37u);
  EXPECT_EQ(player->difference()->ship, 4u);
  EXPECT_THAT(player->difference()->text, HasSubstr("frame 37: ship 4 (star)"));
}

TEST_F(Session, WithAnotherModelIsRefused) {
  recordTo(file_, 100);
  auto session = *RecordedSession::read(file_);
  std::swap(files_[0], files_[1]);
  set_ = build();
  const auto player = SessionPlayer::open(std::move(session), source());
  ASSERT_FALSE(player);
  EXPECT_THAT(player.error().message, HasSubstr("the mesh of \"torus\" is not the one that flew"));
}

TEST_F(Session, WithOtherTreesIsRefused) {
  recordTo(file_, 100);
  auto session = *RecordedSession::read(file_);
  options_.tree.levels = 1;
  set_ = build();
  const auto player = SessionPlayer::open(std::move(session), source());
  ASSERT_FALSE(player);
  EXPECT_THAT(player.error().message, HasSubstr("the sphere tree (octree) of \"torus\""));
}

TEST_F(Session, ThatWasCutIsReadUpToItsLastWholeBlock) {
  recordTo(file_, 300);
  const std::string whole = readText(file_);
  std::size_t shortened = 0, refused = 0;
  for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 97) {
    writeText(folder_ / "cut.session", std::string_view(whole).substr(0, size));
    const auto cut = RecordedSession::read(folder_ / "cut.session");
    if (!cut) {
      ++refused;
      EXPECT_THAT(cut.error().message, HasSubstr("cut.session"));
      continue;
    }
    ++shortened;
    EXPECT_THAT(cut->warning(), HasSubstr("has no end"));
    EXPECT_GT(cut->frames(), 0u);
    EXPECT_LT(cut->frames(), 301u);
  }
  EXPECT_GT(shortened, 40u);
  EXPECT_GT(refused, 2u);
}

TEST_F(Session, ThatWasAlteredIsRefused) {
  recordTo(file_, 300);
  const std::string whole = readText(file_);
  std::size_t refused = 0, told = 0;
  for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 211) {
    std::string altered = whole;
    altered[at] = static_cast<char>(altered[at] ^ 0x10);
    writeText(folder_ / "altered.session", altered);
    const auto read = RecordedSession::read(folder_ / "altered.session");
    refused += !read;
    // The length of a block may have grown beyond the file
    told += read && !read->warning().empty();
    EXPECT_TRUE(!read || !read->warning().empty()) << "byte " << at;
  }
  EXPECT_GT(refused, 190u);
  EXPECT_LT(told, 10u);
}

TEST_F(Session, OfAnotherVersionOrKindIsRefused) {
  recordTo(file_, 70);
  std::string other = readText(file_);
  other[16] = 9;
  const auto later = RecordedSession::read(writeText(folder_ / "later.session", other));
  ASSERT_FALSE(later);
  EXPECT_EQ(later.error().code, ErrorCode::WrongVersion);
  EXPECT_THAT(later.error().message,
              HasSubstr("version 9, and this program reads versions 1 to 3"));
  const auto foreign = RecordedSession::read(files_[0]);
  ASSERT_FALSE(foreign);
  EXPECT_THAT(foreign.error().message, HasSubstr("is not a recorded session"));
  const auto missing = RecordedSession::read(folder_ / "none.session");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
}

TEST_F(Session, OfAProgramThatWasKilledKeepsAllWholeBlocks) {
  SessionWriter writer;
  writer.begin(sessionSceneOf(scene_, scene_.narrow, *set_, true), {});
  ASSERT_TRUE(writer.startFile(file_));
  record(writer, 290);
  // The file before the writer ends
  std::filesystem::copy_file(file_, folder_ / "killed.session");
  const auto killed = RecordedSession::read(folder_ / "killed.session");
  ASSERT_TRUE(killed) << killed.error().message;
  EXPECT_GE(killed->frames(), 290u - SessionFrame::framesPerBlock);
  EXPECT_THAT(killed->warning(), HasSubstr("has no end"));
}

TEST_F(Session, InMemoryBeginsWithTheSceneThatFlies) {
  SessionWriter writer;
  EXPECT_FALSE(writer.includesStart());
  const auto states = record(writer, 200);
  ASSERT_TRUE(writer.includesStart());
  ASSERT_TRUE(writer.startFile(file_));
  ASSERT_TRUE(writer.close());
  EXPECT_EQ(writer.framesInFile(), 100u);
  const auto player = play(file_);
  while (!player->atEnd()) ASSERT_TRUE(player->step());
  EXPECT_FALSE(player->difference());
  EXPECT_EQ(stateHash(player->simulation().world().ships()), states.back());
}

}  // namespace
}  // namespace nearmiss::engine
