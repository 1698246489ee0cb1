// SPDX-License-Identifier: MIT
/// The published driver: every time of the length of the resolution or more in which two bounding
/// spheres meet is sampled, time always goes on, and between the samples there is no work.
#include <gtest/gtest.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "rivals/known_flight.h"
#include "support/campaign.h"
#include "support/random.h"
#include "support/test_name.h"

namespace nearmiss {
namespace {

using test::cases;
using test::KnownFlight;
using test::KnownFlightSettings;
using test::Random;

constexpr Real resolution = 0.05;
constexpr int instantsPerStep = 100;  ///< of the brute force

struct Tally {
  std::size_t calls = 0, leaps = 0, bounces = 0, jumps = 0;
  std::size_t lasting = 0, brief = 0;              ///< touches, by brute force
  std::size_t missedLasting = 0, missedBrief = 0;  ///< of these, without a sample
};

struct Sample {
  Real time = 0.0;
  std::vector<BodyPair> pairs;
};

/// One flight under the driver, as a simulation flies it.
class Drive {
 public:
  Drive(BroadPhase& tried, BodyForm form, Random& random, KnownFlight& flight, Tally& tally)
      : tried_(tried), form_(form), random_(random), flight_(flight), tally_(tally) {
    tried_.setResolution(resolution);
  }

  void fly(Real end) {
    Real time = 0.0;
    while (time <= end) {
      ASSERT_NO_FATAL_FAILURE(sample(time));
      ASSERT_LE(samples_.size(), 2 + static_cast<std::size_t>(end / resolution));
      Real next = driver_.next(resolution);
      // A jump voids what was known
      for (Real jump = flight_.nextJump(time); jump < next; jump = flight_.nextJump(jump)) {
        driver_.restart(jump);
        next = driver_.next(resolution);
        ++tally_.jumps;
      }
      ASSERT_GE(next, time + resolution * (1.0 - 1e-9)) << "time goes on";
      tally_.leaps += next > time + resolution * (1.0 + 1e-9);
      time = next;
    }
  }

  /// Every pair at every hundredth of a step, against the samples.
  void judge(Real end, std::size_t count) {
    const Real step = resolution / instantsPerStep;
    const auto instants = static_cast<std::size_t>(end / step);
    std::vector<std::vector<Vec3>> places(count);
    std::vector<Real> radii;
    for (std::size_t i = 0; i < count; ++i) {
      KnownFlight::Walk walk(flight_, i);
      radii.push_back(walk.radius());
      for (std::size_t k = 0; k <= instants; ++k)
        places[i].push_back(walk.at(step * static_cast<Real>(k)));
    }
    for (std::uint32_t a = 0; a < count; ++a)
      for (std::uint32_t b = a + 1; b < count; ++b) {
        const Real reach = radii[a] + radii[b];
        for (std::size_t k = 0; k <= instants; ++k) {
          const std::size_t first = k;
          for (; k <= instants; ++k) {
            if (!meet(places[a][k] - places[b][k], reach)) break;
          }
          if (k > first)
            judgeTouch({a, b}, step * static_cast<Real>(first), step * static_cast<Real>(k - 1));
        }
      }
  }

 private:
  /// Spheres of the bodies' radii, or cubes of that half edge.
  [[nodiscard]] bool meet(const Vec3& between, Real reach) const {
    if (form_ == BodyForm::Spheres) return glm::dot(between, between) <= reach * reach;
    return std::max({std::abs(between.x), std::abs(between.y), std::abs(between.z)}) <= reach;
  }

  /// The pairs that meet, by comparing all.
  void findTruth(const std::vector<BodyState>& bodies) {
    truth_.clear();
    for (std::uint32_t a = 0; a < bodies.size(); ++a)
      for (std::uint32_t b = a + 1; b < bodies.size(); ++b)
        if (meet(bodies[a].pose.position - bodies[b].pose.position,
                 bodies[a].shape.radius() + bodies[b].shape.radius()))
          truth_.push_back({a, b});
  }

  void sample(Real time) {
    const std::vector<BodyState> bodies = flight_.at(time);
    Sample& sample = samples_.emplace_back();
    sample.time = time;
    Detection found;
    found.time = time;
    found.noContactBefore = tried_.findPairs(bodies, time, sample.pairs);
    ++tally_.calls;
    findTruth(bodies);
    ASSERT_EQ(sample.pairs, truth_) << "at " << time << " s";
    if (random_.chance(0.2)) {
      tried_.findPairs(bodies, time, sample.pairs);
      ASSERT_EQ(sample.pairs, truth_) << "once more at " << time << " s";
    }
    for (const BodyPair& pair : sample.pairs) found.pairs.push_back({pair, {}, {}});
    driver_.take(found);
    for (const BodyPair& pair : sample.pairs) {
      if (!random_.chance(0.3)) continue;
      flight_.bounce(pair, time);
      ++tally_.bounces;
    }
  }

  /// From the first to the last instant at which a pair was seen to touch.
  void judgeTouch(const BodyPair& pair, Real first, Real last) {
    constexpr Real step = resolution / instantsPerStep;
    const bool sampled = std::any_of(samples_.begin(), samples_.end(), [&](const Sample& sample) {
      return sample.time > first - step && sample.time < last + step &&
             std::binary_search(sample.pairs.begin(), sample.pairs.end(), pair);
    });
    const bool lasts = last - first >= resolution * (1.0 + 1e-9);
    (lasts ? tally_.lasting : tally_.brief) += 1;
    if (!sampled) (lasts ? tally_.missedLasting : tally_.missedBrief) += 1;
  }

  BroadPhase& tried_;
  BodyForm form_;
  Random& random_;
  KnownFlight& flight_;
  Tally& tally_;
  DetectionDriver driver_;
  std::vector<Sample> samples_;
  std::vector<BodyPair> truth_;
};

class PublishedSpaceTime : public testing::TestWithParam<std::tuple<std::string_view, bool>> {
 protected:
  static std::unique_ptr<BroadPhase> make() {
    return findBroadPhase(std::get<0>(GetParam()))->make();
  }
  static std::unique_ptr<BroadPhase> make(BodyForm form) {
    const auto made = std::get<0>(GetParam()) == "space-time" ? makePublishedSpaceTimeBroadPhase
                                                              : makePublishedSubdivisionBroadPhase;
    return made(Promises::Checked, form);
  }
  static bool planes() { return std::get<1>(GetParam()); }
  /// How early the search may report a meeting.
  static Real allowance() { return std::get<0>(GetParam()) == "space-time" ? 0.0 : resolution; }
};

/// What the paper guarantees: every maximal time of at least the resolution in which two bounding
/// spheres meet, or cubes that do not turn, has a sample at which the pair is reported. Shorter
/// ones may go unseen.
class EveryTouch : public PublishedSpaceTime {
 protected:
  static void isSampled(BodyForm form);
};

void EveryTouch::isSampled(BodyForm form) {
  Tally all;
  const int flights = cases(160);
  for (int k = 0; k < flights; ++k) {
    Random random(static_cast<std::uint64_t>(k) + 1);
    KnownFlightSettings settings;
    settings.count = random.whole(2, 7);
    settings.arena = random.between(1.0, 4.0);
    settings.speed = random.chance(0.5) ? 2.0 : 12.0;
    settings.planes = planes();
    KnownFlight flight(random, settings);
    const auto tried = make(form);
    Drive drive(*tried, form, random, flight, all);
    ASSERT_NO_FATAL_FAILURE(drive.fly(settings.end)) << "flight " << k;
    drive.judge(settings.end, static_cast<std::size_t>(settings.count));
    ASSERT_EQ(all.missedLasting, 0u) << "flight " << k;
  }
  const auto runs = static_cast<std::size_t>(flights);
  RecordProperty("lasting", std::to_string(all.lasting));
  RecordProperty("brief", std::to_string(all.brief));
  RecordProperty("missed_brief", std::to_string(all.missedBrief));
  RecordProperty("calls", std::to_string(all.calls));
  EXPECT_GT(all.lasting, runs / 2) << "touches that last";
  EXPECT_GT(all.brief, runs / 10);
  EXPECT_GT(all.missedBrief, 0u) << "by design";
  EXPECT_GT(all.leaps, runs) << "silences longer than the resolution";
  EXPECT_GT(all.bounces, runs);
  EXPECT_GT(all.jumps, runs);
  EXPECT_LT(all.calls, runs * 32) << "fixed steps would make 41 each";
}

TEST_P(EveryTouch, OfSpheresIsSampledIfItLastsAsLongAsTheResolution) {
  isSampled(BodyForm::Spheres);
}

TEST_P(EveryTouch, OfCubesIsSampledIfItLastsAsLongAsTheResolution) { isSampled(BodyForm::Cubes); }

/// The next call is due when the first two of all bounds built now intersect, by the closed form
/// over every pair, or when the first promise ends.
TEST_P(PublishedSpaceTime, AsksForTheTimeAtWhichTheFirstBoundsIntersect) {
  int met = 0, expired = 0, immediate = 0, early = 0;
  for (int k = 0; k < cases(400); ++k) {
    Random random(static_cast<std::uint64_t>(k) + 1001);
    KnownFlightSettings settings;
    settings.count = random.whole(2, 10);
    settings.arena = random.between(2.0, 8.0);
    settings.planes = planes();
    const KnownFlight flight(random, settings);
    const std::vector<BodyState> bodies = flight.at(0.0);
    Real end = bodies[0].boundHoldsUntil;
    for (const BodyState& body : bodies) end = std::min(end, body.boundHoldsUntil);
    Real first = end;
    for (std::size_t a = 0; a < bodies.size(); ++a)
      for (std::size_t b = a + 1; b < bodies.size(); ++b)
        if (const auto meeting = earliestMeeting(spaceTimeBound(bodies[a], 0.0, end),
                                                 spaceTimeBound(bodies[b], 0.0, end)))
          first = std::min(first, *meeting);
    const auto tried = make();
    tried->setResolution(resolution);
    std::vector<BodyPair> found;
    const Real asked = tried->findPairs(bodies, 0.0, found);
    ASSERT_LE(asked, first + 1e-9) << k;
    if (allowance() == 0.0) {
      ASSERT_GE(asked, first - 1e-5) << k;
    }
    early += asked < first - allowance() - 1e-5;  // bounds that only came near
    met += first > resolution && first < end;
    immediate += first <= resolution;
    expired += first == end;
  }
  EXPECT_GT(met, 15);
  EXPECT_GT(immediate, 20);
  EXPECT_GT(expired, 10);
  EXPECT_LT(early, met);
}

TEST_P(PublishedSpaceTime, BuildsAllBoundsAgainThenAndNotBefore) {
  Random random(3);
  std::size_t silent = 0;
  for (int k = 0; k < cases(100); ++k) {
    KnownFlightSettings settings;
    settings.count = 6;
    settings.arena = 6.0;
    settings.planes = planes();
    const KnownFlight flight(random, settings);
    const auto tried = make();
    tried->setResolution(resolution);
    std::vector<BodyPair> found;
    const Real asked = tried->findPairs(flight.at(0.0), 0.0, found);
    if (!(asked > resolution) || !(flight.nextJump(0.0) > asked)) continue;
    ++silent;
    for (const Real share : {0.2, 0.9, 0.999}) {
      ASSERT_EQ(tried->findPairs(flight.at(share * asked), share * asked, found), asked);
      ASSERT_EQ(tried->work().boundTests, 6u) << "states are compared with promises, no more";
      ASSERT_TRUE(found.empty());
    }
    // From then on they are those of a driver that begins there
    const auto fresh = make();
    fresh->setResolution(resolution);
    std::vector<BodyPair> truth;
    const Real again = tried->findPairs(flight.at(asked), asked, found);
    ASSERT_NEAR(again, fresh->findPairs(flight.at(asked), asked, truth), 1e-5);
    ASSERT_EQ(found, truth);
    ASSERT_GE(again, asked);
  }
  EXPECT_GT(silent, 20u);
}

/// Spheres that meet head on along an axis touch where their cubes do: the driver arrives with
/// bounds that only just touch, which no test of pairs at the start finds for it.
TEST_P(PublishedSpaceTime, GoesOnFromBoundsThatGraze) {
  Random random(4);
  int grazing = 0;
  for (int k = 0; k < cases(300); ++k) {
    std::vector<BodyState> bodies(2);
    const int axis = random.whole(0, 2);
    const Real offset = random.chance(0.5) ? 0.0 : random.between(-1e6, 1e6);
    const Real distance = random.between(2.1, 9.0), speed = random.between(0.5, 5.0);
    for (std::uint32_t i = 0; i < 2; ++i) {
      bodies[i].key = i + 1;
      bodies[i].shape = ShapeRef::ofRadius(1.0);
      bodies[i].pose.position[axis] = offset + distance * i;
    }
    bodies[1].velocity[axis] = -speed;
    const auto tried = make();
    tried->setResolution(resolution);
    std::vector<BodyPair> found;
    const Real start = bodies[1].pose.position[axis];
    const Real touch = (start - bodies[0].pose.position[axis] - 2.0) / speed;
    // Bounds that last longer are wider by more rounding
    for (BodyState& body : bodies) body.boundHoldsUntil = touch + 0.1;
    Real time = 0.0;
    for (int call = 0; call < 100 && found.empty(); ++call) {
      grazing += std::abs(time - touch) < 1e-3;
      const Real next = tried->findPairs(bodies, time, found);
      if (!found.empty()) break;
      time = std::max(time + resolution, next);
      bodies[1].pose.position[axis] = start - speed * time;
      for (BodyState& body : bodies) body.boundHoldsUntil = 900.0;
    }
    ASSERT_FALSE(found.empty());
    ASSERT_LE(time, touch + resolution * (1.0 + 1e-6)) << "within the resolution";
  }
  // Subdivision is early
  if (allowance() == 0.0) {
    EXPECT_GT(grazing, 250);
  }
}

/// Planes keep bounds apart whose cubes overlap. When they expire, the cubes that are built next
/// overlap although no bounds have met.
TEST_P(PublishedSpaceTime, TestsPairsThatOnlyPlanesKeptApart) {
  std::vector<BodyState> bodies(2);
  const Vec3 away = glm::normalize(Vec3(1.0, 1.0, 0.0));
  const CuttingPlane first{-away, 0.0}, second{away, 0.0};
  for (std::uint32_t i = 0; i < 2; ++i) {
    bodies[i].key = i + 1;
    bodies[i].shape = ShapeRef::ofRadius(1.0);
    bodies[i].pose.position = Vec3(1.9, 1.9, 0.0) * static_cast<Real>(i);
    bodies[i].accelerationBound = 1.0;
    bodies[i].boundHoldsUntil = 0.5;
  }
  bodies[0].planes = {&first, 1};
  bodies[1].planes = {&second, 1};
  const auto tried = make();
  tried->setResolution(0.01);
  std::vector<BodyPair> found;
  ASSERT_EQ(tried->findPairs(bodies, 0.0, found), 0.5) << "nothing can touch";
  // Now they may fly at each other, and touch after the root of the gap over the acceleration
  for (BodyState& body : bodies) {
    body.accelerationBound = 10.0;
    body.boundHoldsUntil = 10.0;
    body.planes = {};
  }
  if (planes()) bodies[0].planes = {&second, 1};
  EXPECT_LE(tried->findPairs(bodies, 0.5, found), 0.5 + std::sqrt(0.0687));
}

const auto publishedMethods =
    testing::Combine(testing::Values("space-time", "space-time-subdivision"), testing::Bool());
const auto nameOfMethod = [](const auto& tested) {
  return test::testName(std::get<0>(tested.param)) +
         (std::get<1>(tested.param) ? "WithPlanes" : "");
};
INSTANTIATE_TEST_SUITE_P(Published, PublishedSpaceTime, publishedMethods, nameOfMethod);
INSTANTIATE_TEST_SUITE_P(Published, EveryTouch, publishedMethods, nameOfMethod);

TEST(PublishedSpaceTimeBelieved, LooksAtNoStateBeforeTheTimeItAskedFor) {
  std::vector<BodyState> bodies(2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    bodies[i].key = i + 1;
    bodies[i].shape = ShapeRef::ofRadius(1.0);
    bodies[i].pose.position.x = 10.0 * i;
    bodies[i].boundHoldsUntil = 100.0;
  }
  bodies[1].velocity.x = -1.0;
  const auto tried = makePublishedSpaceTimeBroadPhase(Promises::Believed);
  std::vector<BodyPair> found;
  const Real asked = tried->findPairs(bodies, 0.0, found);
  EXPECT_NEAR(asked, 8.0, 1e-6);
  bodies[1].pose.position.x = 6.0;
  EXPECT_EQ(tried->findPairs(bodies, 4.0, found), asked);
  EXPECT_EQ(tried->work().boundTests, 0u);
}

}  // namespace
}  // namespace nearmiss
