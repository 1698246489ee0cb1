// SPDX-License-Identifier: MIT
/// Every broad phase on flights that keep their promises, called when it asks to be and not before:
/// the pairs are those of the reference at every call, no contact-free time lasts beyond the first
/// touch that is possible, and these times are of use: on average they last half as long as
/// possible.
#include <gtest/gtest.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "oracle/first_touch.h"
#include "rivals/promised_flight.h"
#include "support/campaign.h"
#include "support/test_name.h"

namespace nearmiss {
namespace {

using test::cases;
using test::firstTouch;
using test::FlightSettings;
using test::PromisedFlight;
using test::Random;

enum class Kind { Clump, Ties, Coincident, Fast, Sizes, Planes, Sparse };

struct KindOfFlight {
  Kind kind;
  const char* name;
  Real step;        ///< of the flight, seconds
  Real resolution;  ///< of detection, seconds
  FlightSettings settings;
};

std::vector<KindOfFlight> kinds() {
  return {{Kind::Clump,
           "Clump",
           0.04,
           0.02,
           {.count = 20, .arena = 1.2, .speed = 0.5, .acceleration = 0.5}},
          {Kind::Ties,
           "Ties",
           0x1p-4,
           0x1p-5,
           {.count = 16, .arena = 6.0, .speed = 2.0, .acceleration = 0.0, .lattice = true}},
          {Kind::Coincident,
           "Coincident",
           0.05,
           0.02,
           {.count = 12, .arena = 2.0, .acceleration = 0.2}},
          {Kind::Fast,
           "Fast",
           0.05,
           0.02,
           {.count = 40,
            .arena = 2000.0,
            .speed = 300.0,
            .radius = 400.0,
            .acceleration = 30.0,
            .promise = 2.0}},
          {Kind::Sizes, "Sizes", 0.05, 0.02, {.count = 24, .arena = 5.0, .acceleration = 0.3}},
          {Kind::Planes,
           "Planes",
           0.05,
           0.02,
           {.count = 16, .arena = 3.0, .jumpRate = 0.1, .planes = true}},
          {Kind::Sparse,
           "Sparse",
           0.05,
           0.02,
           {.count = 8,
            .arena = 10.0,
            .speed = 3.0,
            .radius = 1.5,
            .acceleration = 0.2,
            .promise = 3.0}}};
}

PromisedFlight begin(const KindOfFlight& kind, std::uint64_t seed) {
  PromisedFlight flight(seed, kind.settings);
  auto& bodies = flight.change();
  Random random(seed);
  if (kind.kind == Kind::Coincident) {
    for (BodyState& body : bodies) body.pose.position = Vec3(0.3, -0.2, 0.1);
  }
  if (kind.kind == Kind::Sizes) {
    for (BodyState& body : bodies)
      body.shape = ShapeRef::ofRadius(std::pow(10.0, random.between(-7.0, 0.3)));
    // One as large as a moon, a little off
    bodies[7].shape = ShapeRef::ofRadius(1e6);
    bodies[7].pose.position = Vec3(1e6 + 4.0, 0.0, 0.0);
    bodies[7].velocity = Vec3(-0.4, 0.0, 0.0);
  }
  return flight;
}

struct Tally {
  std::size_t calls = 0, touching = 0, begun = 0, leaps = 0, judged = 0;
  Real used = 0.0, possible = 0.0;  ///< seconds without contact, added up
};

/// One method on one flight.
class Drive {
 public:
  Drive(const BroadPhaseEntry& entry, const KindOfFlight& kind, Tally& tally)
      : kind_(kind), looksAhead_(entry.looksAhead), tried_(entry.make()), tally_(tally) {
    tried_->setResolution(kind.resolution);
  }

  void fly(PromisedFlight& flight, int steps) {
    for (int step = 0; step < steps; ++step) {
      const Real end = flight.time() + kind_.step;
      for (const Real part : {0.1, 0.35, 0.6, 0.85}) {
        const Real time = flight.time() + part * kind_.step;
        ASSERT_NO_FATAL_FAILURE(callUntil(flight, time));
        ASSERT_NO_FATAL_FAILURE(look(flight.at(time), time));
      }
      ASSERT_NO_FATAL_FAILURE(callUntil(flight, end));
      const std::vector<BodyState> before(flight.bodies().begin(), flight.bodies().end());
      flight.advance(kind_.step);
      for (std::size_t i = 0; i < before.size(); ++i) {
        const BodyState& body = flight.bodies()[i];
        if (body.motionEpoch != before[i].motionEpoch)
          next_ = std::min(next_, flight.time() + kind_.resolution);
        else if (body.boundHoldsUntil == before[i].boundHoldsUntil)
          continue;
        changed_[i] = true;
      }
    }
  }

 private:
  void callUntil(const PromisedFlight& flight, Real time) {
    while (next_ < time) ASSERT_NO_FATAL_FAILURE(call(flight.at(next_), next_));
  }

  void call(const std::vector<BodyState>& bodies, Real time) {
    const Real noContactBefore = tried_->findPairs(bodies, time, found_);
    reference_->findPairs(bodies, time, truth_);
    ASSERT_EQ(found_, truth_) << "at " << time << " s";
    ASSERT_GE(noContactBefore, time);
    ++tally_.calls;
    tally_.touching += found_.size();
    for (const BodyPair& pair : found_)
      tally_.begun += !std::binary_search(before_.begin(), before_.end(), pair);
    before_ = found_;
    changed_.assign(bodies.size(), false);
    noContactBefore_ = noContactBefore;
    if (looksAhead_) {
      ASSERT_NO_FATAL_FAILURE(checkNoContactBefore(bodies, time));
    }
    const Real soonest = time + kind_.resolution;
    next_ = std::max(soonest, std::min(noContactBefore, time + 1e3));
    tally_.leaps += next_ > soonest;
    // Down to where no point of a lattice is rounded
    if (kind_.kind == Kind::Ties)
      next_ = std::max(soonest, std::floor(next_ / kind_.resolution) * kind_.resolution);
  }

  /// Against the first touch of any pair that is not reported, and the end of the bounds.
  void checkNoContactBefore(const std::vector<BodyState>& bodies, Real time) {
    constexpr Real longest = 1.0;
    Real end = time + longest;
    for (const BodyState& body : bodies) end = std::min(end, body.boundHoldsUntil);
    const Real life = end - time;
    const auto count = static_cast<std::uint32_t>(bodies.size());
    for (std::uint32_t a = 0; a < count; ++a)
      for (std::uint32_t b = a + 1; b < count; ++b) {
        if (std::binary_search(found_.begin(), found_.end(), BodyPair{a, b})) continue;
        const auto touch = firstTouch(bodies[a], bodies[b], life);
        if (!touch) continue;
        ++tally_.judged;
        // Planes hold off what their bodies' horns would touch
        const bool planes = !bodies[a].planes.empty() || !bodies[b].planes.empty();
        if (!planes) {
          ASSERT_LE(noContactBefore_, time + *touch + 2e-6 * life)
              << a << " and " << b << " may touch in the silence that begins at " << time << " s, "
              << noContactBefore_ - time - *touch << " s before its end; bounds last " << life
              << " s";
        }
        end = std::min(end, time + *touch);
      }
    if (end - time <= kind_.resolution) return;
    tally_.possible += end - time;
    tally_.used += std::min(noContactBefore_, end) - time;
  }

  /// Between calls: no pair touches before noContactBefore.
  void look(const std::vector<BodyState>& bodies, Real time) {
    if (!(time < noContactBefore_)) return;
    reference_->findPairs(bodies, time, truth_);
    for (const BodyPair& pair : truth_) {
      // Bounds that were renewed or have ended are dropped
      if (changed_[pair.a] || changed_[pair.b]) continue;
      ASSERT_TRUE(std::binary_search(found_.begin(), found_.end(), pair))
          << pair.a << " and " << pair.b << " touch at " << time << " s, silence until "
          << noContactBefore_;
    }
  }

  const KindOfFlight& kind_;
  bool looksAhead_;
  std::unique_ptr<BroadPhase> tried_, reference_ = makeAllPairsBroadPhase();
  Tally& tally_;
  std::vector<BodyPair> found_, truth_, before_;
  std::vector<char> changed_;  ///< bodies, since the last call
  Real next_ = 0.0, noContactBefore_ = -std::numeric_limits<Real>::infinity();
};

class PromisedPairs : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {};

/// Of the contact-free time that is possible, how much must be used.
Real minUseOf(const BroadPhaseEntry& entry, Kind kind) {
  // The grid's bodies take turns, and each turn ends the contact-free time: it is made for crowds,
  // in which some body is always due. Among bodies that fly past a cell or fill all cells there is
  // none.
  if (entry.name == "space-time-grid")
    return kind == Kind::Fast || kind == Kind::Sizes ? 0.0 : 0.08;
  // The published driver is silent only while no two of all bounds overlap
  if (entry.name == "space-time" || entry.name == "space-time-subdivision")
    return kind == Kind::Sparse                                               ? 0.3
           : kind == Kind::Clump || kind == Kind::Fast || kind == Kind::Sizes ? 0.0
                                                                              : 0.08;
  // The schedule takes every approach for one that is head on
  if (entry.name == "schedule") return 0.35;
  return 0.5;
}

TEST_P(PromisedPairs, AreThoseOfTheJudgeAndSilencesAreTrueAndOfUse) {
  const BroadPhaseEntry& entry = broadPhaseCatalog()[std::get<0>(GetParam())];
  const KindOfFlight kind = kinds()[std::get<1>(GetParam())];
  Tally all;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(cases(4)); ++seed) {
    PromisedFlight flight = begin(kind, seed);
    Drive drive(entry, kind, all);
    ASSERT_NO_FATAL_FAILURE(drive.fly(flight, kind.kind == Kind::Sparse ? 600 : 150))
        << "seed " << seed;
  }
  EXPECT_GT(all.calls, 40u);
  EXPECT_GT(all.begun, 12u) << "pairs begin to touch";
  const auto count = static_cast<std::size_t>(kind.settings.count);
  EXPECT_LT(all.touching, all.calls * count * (count - 1) / 2) << "pairs part";
  if (!entry.looksAhead) {
    EXPECT_EQ(all.leaps, 0u);
    return;
  }
  EXPECT_GT(all.judged, 20u) << "pairs may touch soon";
  const Real use = all.used / all.possible;
  RecordProperty("use", std::to_string(use));
  // How useful silences are depends on where ships begin: known of the usual flights
  if (test::campaignSeed() != 0) return;
  EXPECT_GE(use, minUseOf(entry, kind.kind));
  const bool crowded = kind.kind == Kind::Clump || minUseOf(entry, kind.kind) == 0.0;
  EXPECT_GE(all.leaps, crowded ? 0u : 10u);
}

std::string nameOf(const testing::TestParamInfo<std::tuple<std::size_t, std::size_t>>& tested) {
  return test::testName(broadPhaseCatalog()[std::get<0>(tested.param)].name) +
         kinds()[std::get<1>(tested.param)].name;
}

INSTANTIATE_TEST_SUITE_P(Catalog, PromisedPairs,
                         testing::Combine(testing::Range(std::size_t{0},
                                                         broadPhaseCatalog().size()),
                                          testing::Range(std::size_t{0}, kinds().size())),
                         nameOf);

}  // namespace
}  // namespace nearmiss
