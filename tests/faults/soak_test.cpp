// SPDX-License-Identifier: MIT
/// Long flights in which everything is switched at random: nothing grows, nothing leaks, nothing
/// becomes a number that is none. NEARMISS_CAMPAIGN=250 flies a million frames.
#include <engine/scene/scene.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <nearmiss/advanced/worker_pool.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <memory>
#include <vector>

#include "engine/generated_shapes.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::Random;

std::ptrdiff_t filesOpen() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                       std::filesystem::directory_iterator());
}

/// Bytes that the program has from the heap and has not given back; 0 where another allocator
/// serves it.
std::size_t bytesInUse() {
  const struct mallinfo2 all = ::mallinfo2();
  return all.uordblks + all.hblkhd;
}

class Soak : public Shapes {
 protected:
  Soak() {
    scene_ = crowdedScene();
    sets_.push_back(build());
    ShapeOptions other = options_;
    other.tree.levels = 3;
    other.treeBuilder = "dag";
    sets_.push_back(*withTrees(*sets_[0], other));
    simulation_ = *makeSimulation(scene_, *sets_[0], clock_);
    start_ = std::make_unique<Snapshot>(simulation_->snapshot());
  }

  /// Switches one thing or another, as the keys of the window would.
  void switchSomething(Random& random) {
    switch (random.whole(0, 11)) {
      case 0: {
        const auto& set = random.anyOf(sets_);
        const auto& broad = random.anyOf(broadPhaseCatalog());
        const auto& narrow = random.anyOf(narrowPhaseCatalog());
        auto detector = makeDetector(std::string(broad.name), std::string(narrow.name), *set);
        ASSERT_TRUE(detector) << detector.error().message;
        simulation_->setDetector(*std::move(detector));
        ++switches_;
        break;
      }
      case 1:
        input_.detectionBudget =
            random.chance(0.3) ? Clock::Duration::max() : Clock::Duration(random.whole(0, 40'000));
        break;
      case 2:
        input_.response = static_cast<Response>(random.whole(0, 3));
        break;
      case 3:
        input_.order = static_cast<RefinementOrder>(random.whole(0, 4));
        break;
      case 4:
        input_.instants = random.chance(0.5) ? Instants::Steps : Instants::Earliest;
        break;
      case 5:
        input_.coherence = !input_.coherence;
        break;
      case 6:
        input_.tighten = !input_.tighten;
        break;
      case 7:
        input_.levelCap = random.whole(0, 5);
        break;
      case 8:
        input_.dt = random.chance(0.1) ? 0.0 : random.between(0.001, 0.2);
        break;
      case 9:
        input_.detectStep = random.between(0.002, 0.1);
        break;
      case 10:
        simulation_->shareWork(random.chance(0.5) ? &pool_ : nullptr);
        break;
      default:
        // A second flight splits off, and ends, as beside an exact ghost
        WorkClock clock;
        auto ghost = makeSimulation(scene_, *sets_[0], clock);
        ASSERT_TRUE(ghost);
        (*ghost)->restore(simulation_->snapshot());
        for (int i = 0; i < 3; ++i) (void)(*ghost)->advance({});
    }
  }

  void fly(Random& random, int frames) {
    for (int i = 0; i < frames; ++i) {
      if (random.chance(0.05)) {
        ASSERT_NO_FATAL_FAILURE(switchSomething(random));
      }
      input_.control = {random.between(-1, 1), random.between(-1, 1), random.between(-1, 1), 0.0};
      input_.stopShip = random.chance(0.002);
      const FrameOutput& output = simulation_->advance(input_);
      collisions_ += output.collisions.size();
      for (const BodyState& body : simulation_->world().states()) {
        const Vec3& at = body.pose.position;
        ASSERT_TRUE(std::isfinite(at.x + at.y + at.z) && std::isfinite(body.velocity.x)) << i;
        ASSERT_LT(std::max({std::abs(at.x), std::abs(at.y), std::abs(at.z)}), 1e6) << i;
      }
    }
  }

  /// Bytes in use in one and the same state: its start, detected by the scene's methods.
  std::size_t bytesAtStart() {
    input_ = {};
    simulation_->shareWork(nullptr);
    simulation_->restore(*start_);
    simulation_->setDetector(*makeDetector(broadPhaseOf(scene_), scene_.narrow, *sets_[0]));
    for (int i = 0; i < 50; ++i) (void)simulation_->advance(input_);
    return bytesInUse();
  }

  Scene scene_;
  std::vector<std::shared_ptr<const ShapeSet>> sets_;
  WorkClock clock_;
  WorkerPool pool_{2};
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<Snapshot> start_;
  FrameInput input_;
  std::size_t collisions_ = 0, switches_ = 0;
};

TEST_F(Soak, NothingGrowsWhileEverythingIsSwitched) {
  Random random(1);
  const int frames = nearmiss::test::cases(4000);
  ASSERT_NO_FATAL_FAILURE(fly(random, frames / 4));
  const std::size_t before = bytesAtStart();
  const std::ptrdiff_t filesBefore = filesOpen();
  ASSERT_NO_FATAL_FAILURE(fly(random, frames - frames / 4));
  const std::size_t after = bytesAtStart();
  EXPECT_EQ(filesOpen(), filesBefore);
  EXPECT_GT(collisions_, static_cast<std::size_t>(frames) / 100);
  EXPECT_GT(switches_, static_cast<std::size_t>(frames) / 600);
  // What capacities reach once, they keep: a thousandth of a KB a frame, and that reserve
  const std::size_t reserve = 64 * 1024;
  EXPECT_LT(after, before + reserve + static_cast<std::size_t>(frames)) << "bytes in use grow";
  RecordProperty("bytesBefore", std::to_string(before));
  RecordProperty("bytesAfter", std::to_string(after));
}

}  // namespace
}  // namespace nearmiss::engine
