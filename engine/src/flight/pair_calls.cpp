// SPDX-License-Identifier: MIT
#include <engine/flight/depth.h>
#include <engine/flight/pair_calls.h>
#include <nearmiss/advanced/narrow_phase.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace nearmiss::engine {
namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

nanoseconds since(steady_clock::time_point start) noexcept {
  return std::chrono::duration_cast<nanoseconds>(steady_clock::now() - start);
}

/// Runs the method step by step and records time, tests and bound of every level.
void timeLevels(NarrowPhase& method, std::span<const BodyState> bodies, const BodyPair& pair,
                PairCall& call) {
  const auto start = steady_clock::now();
  method.begin(bodies, std::span(&pair, 1));
  Refinement known = method.result(0);
  while (known.canRefine && method.refine(0, TimeBudget::unlimited())) {
    const nanoseconds elapsed = since(start);
    known = method.result(0);
    const WorkCount work = method.work();
    call.triangleTests = work.triangleTests;
    const int deepest = depthOf(known);
    // If one step completes several levels, all get its time
    for (int l = call.deepest; l < deepest; ++l) {
      const auto index = static_cast<std::size_t>(l);
      call.level[index] = elapsed;
      call.boundTests[index] = work.boundTests;
      // Only spheres of this level give a bound
      if (index < call.bound.size() && known.stage == Stage::Spheres &&
          known.verdict != Verdict::Separate)
        call.bound[index] = known.separationBound;
    }
    call.deepest = std::max(call.deepest, deepest);
  }
  call.hitLevel5 = known.verdict == Verdict::Contact;
}

void timeToCompletion(NarrowPhase& method, std::span<const BodyState> bodies, const BodyPair& pair,
                      PairCall& call) {
  const auto start = steady_clock::now();
  method.begin(bodies, std::span(&pair, 1));
  while (method.result(0).canRefine && method.refine(0, TimeBudget::unlimited())) {
  }
  call.reference = since(start);
  call.hitReference = method.result(0).verdict == Verdict::Contact;
}

}  // namespace

PairCalls::PairCalls(std::unique_ptr<NarrowPhase> driver, std::unique_ptr<NarrowPhase> reference)
    : driver_(makeArticulatedNarrowPhase(std::move(driver))),
      reference_(makeArticulatedNarrowPhase(std::move(reference))) {}

void PairCalls::record(std::uint64_t frame, std::uint32_t sub, std::span<const BodyState> bodies,
                       std::span<const DetectedPair> pairs) {
  for (const DetectedPair& detected : pairs) {
    PairCall call;
    call.frame = frame;
    call.sub = sub;
    call.a = detected.bodies.a;
    call.b = detected.bodies.b;
    call.bound.fill(std::numeric_limits<Real>::quiet_NaN());
    // Alternate the first method, so that neither always benefits from warm caches
    const bool driverFirst = recorded_++ % 2 == 0;
    if (driverFirst) timeLevels(*driver_, bodies, detected.bodies, call);
    timeToCompletion(*reference_, bodies, detected.bodies, call);
    if (!driverFirst) timeLevels(*driver_, bodies, detected.bodies, call);
    calls_.push_back(call);
  }
}

}  // namespace nearmiss::engine
