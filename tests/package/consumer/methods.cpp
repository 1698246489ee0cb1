// SPDX-License-Identifier: MIT
/// Lists the methods of both tiers, and makes each.
#include <nearmiss/methods/catalog.h>

#include <cstdio>

int main() {
  using namespace nearmiss;
  const Shapes none;
  int made = 0;
  for (const BroadPhaseEntry& entry : broadPhaseCatalog()) made += entry.make() != nullptr;
  for (const NarrowPhaseEntry& entry : narrowPhaseCatalog())
    made += bool(makeNarrowPhase(entry, none));
  std::printf("%d methods\n", made);
}
