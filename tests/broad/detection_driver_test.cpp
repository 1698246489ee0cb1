// SPDX-License-Identifier: MIT
/// The driver over random flights of bodies that keep their promises, jump, and are thrown apart
/// where they meet. NEARMISS_CAMPAIGN=25 makes 10,000 flights.
#include <gtest/gtest.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "rivals/promised_flight.h"
#include "support/broad_phases.h"
#include "support/campaign.h"
#include "support/test_name.h"

namespace nearmiss {
namespace {

using test::cases;
using test::FlightSettings;
using test::PromisedFlight;
using test::Random;

constexpr Real resolution = 0.05;
constexpr int looksPerResolution = 100;

/// One flight, looked at a hundred times per resolution and sampled by a driver.
class DrivenFlight {
 public:
  DrivenFlight(std::string_view broad, std::uint64_t seed, const FlightSettings& settings)
      : flight_(seed, settings), broad_(findBroadPhase(broad)->make()), random_(~seed) {
    const std::size_t n = flight_.bodies().size();
    meetings_.resize(n * n);
    epochs_.resize(n);
    rememberEpochs();
  }

  void fly(int looks) {
    look();
    for (int i = 0; i < looks; ++i) {
      const Real before = flight_.time();
      const Real after = before + resolution / looksPerResolution;
      while (driver_.next(resolution) < after && !failed_) sample(driver_.next(resolution));
      flight_.advance(after - before);
      noticeJumps();
      look();
    }
  }

  std::size_t samples = 0, leaps = 0, lasting = 0, fleeting = 0, thrown = 0, jumps = 0;

 private:
  struct Meeting {
    bool open = false, seen = false;
    Real first = 0.0, last = 0.0;
  };

  Meeting& meetingOf(std::size_t a, std::size_t b) {
    return meetings_[a * flight_.bodies().size() + b];
  }

  /// At any instant: between two looks the accelerations are constant.
  void sample(Real time) {
    ASSERT_GE(time, flight_.time());
    now_ = flight_.at(time);
    if (samples > 0) {
      ASSERT_GT(time, detection_.time) << "time goes on";
      ASSERT_GE(time, detection_.time + resolution);
      leaps += time > detection_.time + resolution;
    }
    ++samples;
    detection_.time = time;
    detection_.noContactBefore = broad_->findPairs(now_, time, pairs_);
    detection_.pairs.clear();
    for (const BodyPair& pair : pairs_) {
      detection_.pairs.push_back({pair, {}, {}});
      Meeting& meeting = meetingOf(pair.a, pair.b);
      meeting.seen = true;
    }
    driver_.take(detection_);
    failed_ = testing::Test::HasFatalFailure();

    // Now and then a response throws two apart, between this look and the next
    for (const BodyPair& pair : pairs_)
      if (random_.chance(0.3)) {
        for (const std::uint32_t i : {pair.a, pair.b})
          flight_.throwAt(i, time, random_.inCube(1.0));
        ++thrown;
      }
    if (!pairs_.empty()) rememberEpochs();
  }

  void rememberEpochs() {
    for (std::size_t i = 0; i < epochs_.size(); ++i) epochs_[i] = flight_.bodies()[i].motionEpoch;
  }

  void noticeJumps() {
    bool jumped = false;
    for (std::size_t i = 0; i < epochs_.size(); ++i)
      jumped = jumped || epochs_[i] != flight_.bodies()[i].motionEpoch;
    if (!jumped) return;
    ++jumps;
    driver_.restart(flight_.time());
    rememberEpochs();
  }

  void look() {
    const auto bodies = flight_.bodies();
    for (std::size_t a = 0; a < bodies.size(); ++a)
      for (std::size_t b = a + 1; b < bodies.size(); ++b) {
        Meeting& meeting = meetingOf(a, b);
        const Vec3 apart = bodies[a].pose.position - bodies[b].pose.position;
        const Real reach = bodies[a].shape.radius() + bodies[b].shape.radius();
        if (glm::dot(apart, apart) <= reach * reach) {
          if (!meeting.open) meeting = {true, false, flight_.time(), 0.0};
          meeting.last = flight_.time();
        } else if (meeting.open) {
          close(meeting);
        }
      }
  }

  void close(Meeting& meeting) {
    meeting.open = false;
    const bool longEnough = meeting.last - meeting.first >= resolution;
    ASSERT_TRUE(meeting.seen || !longEnough)
        << "met from " << meeting.first << " to " << meeting.last;
    lasting += longEnough;
    fleeting += !longEnough;
  }

  PromisedFlight flight_;
  std::unique_ptr<BroadPhase> broad_;
  Random random_;
  DetectionDriver driver_;
  Detection detection_;
  std::vector<BodyState> now_;
  std::vector<BodyPair> pairs_;
  std::vector<Meeting> meetings_;
  std::vector<std::uint32_t> epochs_;
  bool failed_ = false;
};

class Driver : public testing::TestWithParam<std::string_view> {};

/// Ties, parallel paths, bodies at rest and at one position, near the origin and 10^7 m from it.
TEST_P(Driver, SamplesMeetingsWhereTiesAbound) {
  std::size_t leaps = 0, lasting = 0;
  const int flights = cases(40);
  for (int i = 0; i < flights; ++i) {
    FlightSettings settings;
    settings.lattice = true;
    settings.count = 5 + i % 5;
    settings.arena = 3.0;
    settings.speed = 2.0;
    settings.acceleration = 0.0;
    if (i % 2 == 1) settings.offset = Vec3(1e7, -1e7, 1e7);
    DrivenFlight flight(GetParam(), static_cast<std::uint64_t>(i) + 500, settings);
    ASSERT_NO_FATAL_FAILURE(flight.fly(40 * looksPerResolution)) << "flight " << i;
    leaps += flight.leaps;
    lasting += flight.lasting;
  }
  const auto n = static_cast<std::size_t>(flights);
  EXPECT_GT(lasting, n / 2);
  EXPECT_GT(leaps, n / 2);
}

TEST_P(Driver, SamplesEveryMeetingThatLastsLongEnough) {
  std::size_t samples = 0, leaps = 0, lasting = 0, fleeting = 0, thrown = 0, jumps = 0;
  const int flights = cases(80);
  for (int i = 0; i < flights; ++i) {
    Random random(static_cast<std::uint64_t>(1000 + i));
    FlightSettings settings;
    settings.count = random.whole(2, 9);
    settings.arena = random.between(0.7, 2.5);
    settings.radius = random.between(0.1, 0.6);
    settings.speed = random.between(0.2, 2.0);
    settings.acceleration = random.chance(0.2) ? 0.0 : random.between(0.1, 3.0);
    settings.promise = random.between(0.2, 2.0);
    settings.planes = random.chance(0.5);
    settings.jumpRate = random.chance(0.4) ? 0.2 : 0.0;
    if (random.chance(0.1)) settings.offset = Vec3(1e7, -3e6, 2e7);
    const auto seed = static_cast<std::uint64_t>(i) + 1;
    DrivenFlight flight(GetParam(), seed, settings);
    ASSERT_NO_FATAL_FAILURE(flight.fly(40 * looksPerResolution)) << "flight " << i;
    samples += flight.samples;
    leaps += flight.leaps;
    lasting += flight.lasting;
    fleeting += flight.fleeting;
    thrown += flight.thrown;
    jumps += flight.jumps;
    EXPECT_LE(flight.samples, 40u + 1u) << "a sample a resolution, and one for the ends";
  }
  const auto n = static_cast<std::size_t>(flights);
  EXPECT_GT(lasting, n / 2);
  EXPECT_GT(fleeting, n / 20);
  EXPECT_GT(leaps, n / 2);
  EXPECT_GT(thrown, n / 4);
  EXPECT_GT(jumps, n / 2);
  RecordProperty("lasting", static_cast<int>(lasting));
  RecordProperty("samples", static_cast<int>(samples));
  RecordProperty("leaps", static_cast<int>(leaps));
}

/// One pair that keeps its velocities: the time at which its spheres touch has a closed form.
TEST_P(Driver, SamplesAFreePairWithinTheResolutionOfItsTouch) {
  int touching = 0, missing = 0, sampled = 0, fixed = 0;
  for (int i = 0; i < cases(300); ++i) {
    Random random(static_cast<std::uint64_t>(i));
    std::vector<BodyState> bodies(2);
    for (std::uint32_t k = 0; k < 2; ++k) {
      bodies[k].key = k + 1;
      bodies[k].pose.position = random.inCube(4.0);
      bodies[k].velocity = 2.0 * random.direction();
      bodies[k].shape = ShapeRef::ofRadius(random.between(0.1, 0.8));
    }
    // Most aim at each other, more or less
    const Vec3 aim = bodies[1].pose.position - bodies[0].pose.position + random.inCube(2.0);
    if (random.chance(0.7)) bodies[0].velocity = bodies[1].velocity + 0.3 * aim;
    const Vec3 dc = bodies[1].pose.position - bodies[0].pose.position;
    const Vec3 dv = bodies[1].velocity - bodies[0].velocity;
    const Real reach = bodies[0].shape.radius() + bodies[1].shape.radius();
    const Real A = glm::dot(dv, dv), B = glm::dot(dc, dv), C = glm::dot(dc, dc) - reach * reach;
    const Real root = B * B - A * C;
    if (C <= 0.0) continue;
    const bool touch = B < 0.0 && root > 0.0 && 2.0 * std::sqrt(root) / A >= resolution;
    const Real when = touch ? (-B - std::sqrt(root)) / A : 0.0;
    if (!touch && B < 0.0 && root > 0.0) continue;

    const auto broad = findBroadPhase(GetParam())->make();
    DetectionDriver driver;
    Detection detection;
    std::vector<BodyPair> pairs;
    std::vector<BodyState> now = bodies;
    int samples = 0;
    for (Real time = driver.next(resolution); time < 10.0; time = driver.next(resolution)) {
      for (std::size_t k = 0; k < 2; ++k)
        now[k].pose.position = bodies[k].pose.position + time * bodies[k].velocity;
      detection.time = time;
      detection.noContactBefore = broad->findPairs(now, time, pairs);
      ++samples;
      if (!pairs.empty()) {
        ASSERT_TRUE(touch);
        ASSERT_GE(time, when - 1e-9);
        ASSERT_LE(time, when + resolution + 1e-9);
        break;
      }
      driver.take(detection);
    }
    ASSERT_EQ(!pairs.empty(), touch && when + resolution < 10.0) << "touch at " << when;
    touching += touch;
    missing += !touch;
    sampled += samples;
    fixed += static_cast<int>((touch ? when : 10.0) / resolution);
  }
  EXPECT_LT(sampled * 2, fixed) << "calls, and those that fixed steps would make";
  EXPECT_GT(touching, 30);
  EXPECT_GT(missing, 40);
}

TEST(Driver, StepsWithoutAPromiseAndLeapsWithOne) {
  DetectionDriver driver(2.0);
  EXPECT_EQ(driver.next(0.5), 2.5);
  Detection found;
  found.time = 2.5;
  found.noContactBefore = 2.5;
  driver.take(found);
  EXPECT_EQ(driver.next(0.5), 3.0);
  found.noContactBefore = 7.0;
  driver.take(found);
  EXPECT_EQ(driver.next(0.5), 7.0);
  EXPECT_EQ(driver.next(10.0), 12.5) << "never sooner than the resolution";

  // Pairs that meet have no contact-free time, nor have those that were postponed
  found.pairs.push_back({{0, 1}, {}, {}});
  driver.take(found);
  EXPECT_EQ(driver.next(0.5), 3.0);
  found.pairs.clear();
  const std::vector<PostponedPair> postponed{{{0, 1}, {1.0, 1}}};
  found.postponed = postponed;
  driver.take(found);
  EXPECT_EQ(driver.next(0.5), 3.0);

  // A jump voids all
  found.postponed = {};
  driver.take(found);
  driver.restart(4.0);
  EXPECT_EQ(driver.next(0.5), 4.5);
  EXPECT_EQ(driver.noContactBefore(), 4.0);
  driver.restart(4.4);
  EXPECT_EQ(driver.next(0.5), 4.5) << "one jump after the other puts nothing off";
}

INSTANTIATE_TEST_SUITE_P(Catalog, Driver, testing::ValuesIn(test::lookingAhead()),
                         [](const auto& tested) { return test::testName(tested.param); });

}  // namespace
}  // namespace nearmiss
