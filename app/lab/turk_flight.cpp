// SPDX-License-Identifier: MIT
#include "lab/turk_flight.h"

#include <algorithm>
#include <chrono>

namespace nearmiss::app::lab {
namespace {

using Clock = std::chrono::steady_clock;

double microsSince(Clock::time_point began) {
  return std::chrono::duration<double, std::micro>(Clock::now() - began).count();
}

}  // namespace

std::span<const BodyPair> LookAheadDetector::detect(const CubeFlight& flight) {
  const std::span<const BodyState> bodies = flight.bodies();
  // Before that time only the reported pairs can touch
  requested_ = !(flight.time() < noContactBefore_);
  if (requested_)
    noContactBefore_ = phase_->findPairs(form_ == BodyForm::Cubes ? flight.cubes() : bodies,
                                         flight.time(), pairs_);
  touching_.clear();
  for (const BodyPair& pair : pairs_)
    if (cubesMeet(bodies[pair.a], bodies[pair.b])) touching_.push_back(pair);
  return touching_;
}

bool flyAndWatch(CubeFlight& flight, const TurkFlight& settings,
                 std::vector<TurkContender>& contenders, const std::atomic<bool>& cancelled,
                 std::vector<TurkRecord>& records) {
  records.assign(contenders.size(), {});
  double integratorUs = 0.0;
  bool collided = false, agree = true;
  std::size_t frames = 0;
  for (; !collided && flight.time() < settings.longest; ++frames) {
    if (cancelled) {
      records.clear();
      return true;
    }
    if (frames > 0) {
      const auto began = Clock::now();
      flight.advance(settings.step);
      integratorUs += microsSince(began);
    }
    // Rotate the order, because the first one finds the caches full of other data
    std::span<const BodyPair> seen;
    for (std::size_t k = 0; k < contenders.size(); ++k) {
      const std::size_t i = (frames + k) % contenders.size();
      TurkRecord& record = records[i];
      const auto began = Clock::now();
      const auto touching = contenders[i].detector.detect(flight);
      const double micros = microsSince(began);
      record.detectionUs += micros;
      record.slowestUs = std::max(record.slowestUs, micros);
      record.calls += contenders[i].detector.requested();
      record.tests += contenders[i].detector.tests();
      contenders[i].frameUs.add(micros);
      if (k > 0 && !std::equal(touching.begin(), touching.end(), seen.begin(), seen.end()))
        agree = false;
      seen = touching;
      collided = collided || !touching.empty();
    }
    // The lead may change until the end
    for (TurkRecord& record : records)
      if (record.detectionUs > records[0].detectionUs)
        record.breakEven = flight.time() + settings.step;
  }

  for (std::size_t i = 0; i < records.size(); ++i) {
    TurkRecord& record = records[i];
    record.method = contenders[i].name;
    record.bodies = static_cast<int>(flight.bodies().size());
    record.collided = collided;
    record.end = flight.time();
    record.frames = frames;
    record.integratorUs = integratorUs;
    record.speedup = records[0].detectionUs / record.detectionUs;
    record.speedupWithIntegrator =
        (records[0].detectionUs + integratorUs) / (record.detectionUs + integratorUs);
    record.slowestRatio = record.slowestUs / records[0].slowestUs;
    record.breakEven = std::min(record.breakEven, record.end);
  }
  return agree;
}

}  // namespace nearmiss::app::lab
