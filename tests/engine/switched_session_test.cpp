// SPDX-License-Identifier: MIT
/// Sessions of flights in which methods, trees, responses, orders and budgets change at random:
/// flown again they have the same states, in order and wherever one jumps to.
#include <engine/session/session.h>
#include <engine/session/session_player.h>
#include <gtest/gtest.h>
#include <nearmiss/rivals/catalog.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engine/generated_shapes.h"
#include "support/campaign.h"
#include "support/manual_clock.h"
#include "support/random.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::Random;

class SwitchedSession : public Shapes {
 protected:
  SwitchedSession() {
    scene_ = crowdedScene();
    scene_.name = "switched";
    scene_.response = Response::Bounce;
    sets_[0] = build();
    ShapeOptions other = options_;
    other.tree.levels = 3;
    sets_[1] = *withTrees(*sets_[0], other);
    other.treeBuilder = "dag";
    sets_[2] = *withTrees(*sets_[0], other);
    for (const auto& set : sets_)
      shapes_.push_back(sessionSceneOf(scene_, scene_.narrow, *set, true).shapes);
  }

  void changeInput(FrameInput& input, Random& random) {
    switch (random.whole(0, 4)) {
      case 0:
        input.response = static_cast<Response>(random.whole(0, 3));
        break;
      case 1:
        input.order = static_cast<RefinementOrder>(random.whole(0, 4));
        break;
      case 2:
        input.levelCap = random.chance(0.5) ? Detector::noLevelCap : random.whole(0, 3);
        break;
      case 3:
        input.detectStep = random.between(0.005, 0.05);
        break;
      default:
        input.detectionBudget = std::chrono::nanoseconds(random.whole(5, 60));
    }
  }

  /// The state after every frame.
  std::vector<std::uint64_t> record(std::uint64_t seed, int frames) {
    Random random(seed);
    ManualClock clock(std::chrono::nanoseconds(1));
    auto simulation = *makeSimulation(scene_, *sets_[0], clock);
    SessionWriter writer;
    const auto begin = [&](const ShapeSet& set, bool restart) {
      simulation->setDetector(*makeDetector(broadPhaseOf(scene_), scene_.narrow, set));
      writer.begin(sessionSceneOf(scene_, scene_.narrow, set, restart), {{"build", "this one"}});
    };
    begin(*sets_[0], true);
    EXPECT_TRUE(writer.startFile(file_));
    FrameInput input;
    std::vector<std::uint64_t> states;
    for (int i = 0; i < frames; ++i) {
      if (random.chance(0.08)) {
        scene_.broad = random.anyOf(broadPhaseCatalog()).name;
        scene_.narrow = random.anyOf(narrowPhaseCatalog()).name;
        begin(*random.anyOf(sets_), false);
        ++switches_;
      }
      if (random.chance(0.1)) changeInput(input, random);
      input.dt = random.between(0.01, 0.04);
      input.control = {random.between(-1, 1), random.between(-1, 1), random.between(-1, 1), 0.0};
      const FrameOutput& output = simulation->advance(input);
      exhausted_ += output.profile.exhausted;
      collisions_ += output.collisions.size();
      writer.add(input, output, simulation->world().ships());
      states.push_back(stateHash(simulation->world().ships()));
    }
    EXPECT_TRUE(writer.close());
    return states;
  }

  /// That of the trees that flew.
  [[nodiscard]] SessionPlayer::ShapeSource source() const {
    return [this](const Scene&, const std::vector<SessionShape>& wanted,
                  BuildProgress*) -> Result<SessionPlayer::ShapesPtr> {
      for (std::size_t i = 0; i < sets_.size(); ++i)
        if (shapes_[i] == wanted) return sets_[i];
      return Error{ErrorCode::NotFound, "no such trees have flown"};
    };
  }

  Scene scene_;
  std::array<std::shared_ptr<const ShapeSet>, 3> sets_;
  std::vector<std::vector<SessionShape>> shapes_;
  std::size_t switches_ = 0, exhausted_ = 0, collisions_ = 0;
  const std::filesystem::path file_ = folder_ / "switched.session";
};

TEST_F(SwitchedSession, IsFlownAgainBitForBit) {
  const int flights = nearmiss::test::cases(4);
  constexpr int frames = 300;
  for (int flight = 0; flight < flights; ++flight) {
    SCOPED_TRACE(flight);
    const auto states = record(500 + static_cast<std::uint64_t>(flight), frames);
    auto session = RecordedSession::read(file_);
    ASSERT_TRUE(session) << session.error().message;
    auto opened = SessionPlayer::open(*std::move(session), source());
    ASSERT_TRUE(opened) << opened.error().message;
    SessionPlayer& player = **opened;
    ASSERT_EQ(player.session().frames(), states.size());
    const auto here = [&] { return stateHash(player.simulation().world().ships()); };
    for (const std::uint64_t state : states) {
      ASSERT_TRUE(player.step());
      ASSERT_EQ(here(), state) << "frame " << player.position();
    }
    EXPECT_FALSE(player.difference());
    Random random(900 + static_cast<std::uint64_t>(flight));
    for (int jump = 0; jump < 6; ++jump) {
      const auto frame = static_cast<std::uint64_t>(random.whole(1, frames));
      ASSERT_TRUE(player.seek(frame));
      ASSERT_EQ(here(), states[frame - 1]) << "frame " << frame;
    }
  }
  const auto all = static_cast<std::size_t>(flights);
  EXPECT_GT(switches_, 15 * all);
  EXPECT_GT(exhausted_, 20 * all);
  EXPECT_GT(collisions_, 10 * all);
}

}  // namespace
}  // namespace nearmiss::engine
