// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace sample::one {

struct [[nodiscard]] Histogram {
  int bins[4];
};

template <typename T>
inline T largest(const T& a, const T& b = {}) {
  return a < b ? b : a;
}

inline int overloaded(int a) { return a; }

namespace {

struct Private {};

inline int hidden() { return 1; }

}  // namespace

// struct Commented {};
inline std::string quoted() { return "struct Commented { int x; };"; }

}  // namespace sample::one
