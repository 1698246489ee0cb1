// SPDX-License-Identifier: MIT
#include <nearmiss/nearmiss.h>

#include <chrono>
#include <cstdio>

using namespace nearmiss;

int main(int argc, char** argv) {
  if (argc != 3) return std::puts("usage: hello A.stl B.stl"), 1;
  const auto meshA = loadMesh(argv[1]), meshB = loadMesh(argv[2]);
  if (!meshA || !meshB) return std::puts((meshA ? meshB : meshA).error().message.c_str()), 1;
  const auto a = makeShape(*meshA), b = makeShape(*meshB);
  if (!a || !b) return std::puts((a ? b : a).error().message.c_str()), 1;

  // B comes down on A from above, 10 cm per step, with 50 ms for each answer
  SteadyClock clock;
  for (int step = 0; step <= 5; ++step) {
    const Pose above{{0, 0, 0.5 - 0.1 * step}};
    const TimeBudget budget(clock, std::chrono::milliseconds(50));
    const Refinement found = collide(*a, Pose{}, *b, above, budget);
    const char* verdict = found.verdict == Verdict::Contact    ? "in contact"
                          : found.verdict == Verdict::Separate ? "apart"
                                                               : "undecided";
    std::printf("%.1f m: %s, distance %.3f m\n", above.position.z, verdict,
                distance(*a, Pose{}, *b, above).upper);
  }
}
