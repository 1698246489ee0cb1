// SPDX-License-Identifier: MIT
/// Flights that do not depend on who watches them, and what was seen of them.
#pragma once

#include <algorithm>
#include <memory>
#include <ostream>
#include <span>
#include <string_view>
#include <vector>

#include "engine/flying.h"

namespace nearmiss::test {}

namespace nearmiss::engine::test {

// Helpers of all tests have the same name here
using namespace nearmiss::test;

/// Input and answer of one call of a broad phase.
struct Sample {
  Real time = 0.0, noContactBefore = 0.0;
  std::vector<BodyPair> pairs;
};

/// Writes down every call of another broad phase.
class Recorded final : public BroadPhase {
 public:
  Recorded(std::string_view name, std::vector<Sample>& log)
      : inner_(findBroadPhase(name)->make()), log_(&log) {}
  std::string_view name() const noexcept override { return inner_->name(); }
  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    const Real noContactBefore = inner_->findPairs(bodies, time, pairs);
    log_->push_back({time, noContactBefore, pairs});
    return noContactBefore;
  }
  void setResolution(Real seconds) noexcept override { inner_->setResolution(seconds); }
  WorkCount work() const noexcept override { return inner_->work(); }

 private:
  std::unique_ptr<BroadPhase> inner_;
  std::vector<Sample>* log_;
};

/// Shapes far smaller than the bounding spheres that ghosts() gives them.
inline const Hangar& specks() {
  static const Hangar shared(nearmiss::test::cube(0.5), nearmiss::test::tetrahedron(), 1e-3);
  return shared;
}

/// Small shapes in large bounding spheres: they meet often and bounce never, so that the flight
/// does not depend on who watches it.
inline std::unique_ptr<Simulation> ghosts(std::uint64_t seed, int drones, std::string_view broad,
                                          std::vector<Sample>& log, Clock& clock) {
  World world(Arena{1.5, 1.0, 0.6});
  DronePilots pilots(seed, PilotSettings{0.5, 3.0});
  SplitMix random(seed);
  ShipId user;
  for (int i = 0; i < drones; ++i) {
    ShipDef def;
    def.shape = ShapeRef::ofRadius(random.between(0.2, 0.7), static_cast<std::uint32_t>(i % 2));
    const Real x = random.between(-2.0, 2.0), y = random.between(-2.0, 2.0);
    def.pose.position = {x, y, random.between(-2.0, 2.0)};
    def.pose.rotation = randomRotation(random);
    const ShipId ship = *world.ships().create(def);
    if (i == 0)
      user = ship;
    else
      pilots.add(ship);
  }
  auto detector =
      std::make_unique<Detector>(std::make_unique<Recorded>(broad, log),
                                 findNarrowPhase("brute-force")->make(specks().tables()));
  return std::make_unique<Simulation>(std::move(world), user, std::move(pilots),
                                      std::move(detector), clock, specks().tables());
}

/// Part of the time that two spheres meet, from the first of many samples to the last.
struct Meeting {
  BodyPair pair;
  Real first = 0.0, last = 0.0;
};

inline std::ostream& operator<<(std::ostream& out, const Meeting& meeting) {
  return out << meeting.pair.a << ", " << meeting.pair.b << " met from " << meeting.first << " to "
             << meeting.last;
}

inline std::vector<Meeting> meetingsIn(const std::vector<Sample>& looks) {
  std::vector<Meeting> meetings;
  std::vector<std::size_t> open;
  for (const Sample& look : looks) {
    std::vector<std::size_t> still;
    for (const BodyPair& pair : look.pairs) {
      const auto at = std::find_if(open.begin(), open.end(),
                                   [&](std::size_t m) { return meetings[m].pair == pair; });
      if (at == open.end()) meetings.push_back({pair, look.time, look.time});
      still.push_back(at == open.end() ? meetings.size() - 1 : *at);
      meetings[still.back()].last = look.time;
    }
    open = still;
  }
  return meetings;
}

/// True if one of the calls reported the pair while it met.
inline bool isSeen(const Meeting& meeting, const std::vector<Sample>& calls) {
  return std::any_of(calls.begin(), calls.end(), [&](const Sample& call) {
    return call.time >= meeting.first && call.time <= meeting.last &&
           std::binary_search(call.pairs.begin(), call.pairs.end(), meeting.pair);
  });
}

}  // namespace nearmiss::engine::test
