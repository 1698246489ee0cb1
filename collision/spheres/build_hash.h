// SPDX-License-Identifier: MIT
/// Adds the settings of builders to a fingerprint.
#pragma once

#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/detail/fingerprint.h>

#include <cstdint>

namespace nearmiss {

void addNumbers(Fingerprint& key, auto... values) {
  (key.add(static_cast<std::uint64_t>(values)), ...);
}

inline void addOwn(Fingerprint& key, const VariationalSettings& own) {
  addNumbers(key, own.branching, own.adaptive, own.maxSpheres, own.objective, own.seeds);
  key.add(own.errorBound);
}

inline void addOwn(Fingerprint& key, const MedialSettings& own) {
  addNumbers(key, own.branching, own.coverage, own.guarantee, own.objective, own.surfacePoints,
             own.adjacency);
  key.add(own.errorBound);
}

}  // namespace nearmiss
