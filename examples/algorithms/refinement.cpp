// SPDX-License-Identifier: MIT
#include <nearmiss/nearmiss.h>

#include <chrono>
#include <cstdio>

using namespace nearmiss;

int main() {
  const Shape ball = *makeShape(*sphereMesh(1.0, 4));
  CollisionQuery query;
  query.begin(ball, Pose{}, ball, Pose{{1.152, 1.152, 1.152}});
  WorkClock clock;  // counts work; use a SteadyClock for real time
  for (Refinement known; known.canRefine;) {
    known = query.refine(TimeBudget(clock, std::chrono::nanoseconds(100)));
    const char* verdict = known.verdict == Verdict::Contact ? "contact" : "possible contact";
    std::printf("level %d: %s, at most %.3f m apart\n", known.level, verdict,
                known.separationBound);
  }
}
