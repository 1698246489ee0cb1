// SPDX-License-Identifier: MIT
/// For tests that hand over numbers at the ends of the range: there sums overflow, and no answer
/// that is finite depends on them.
#pragma once

#include <cfenv>

namespace nearmiss::test {

/// In its scope, and in threads that begin there, no floating-point operation fails the test.
class Untrapped {
 public:
#ifdef __GLIBC__
  Untrapped() noexcept : before_(fedisableexcept(FE_ALL_EXCEPT)) {}
  ~Untrapped() {
    std::feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(before_);
  }
#else
  Untrapped() noexcept = default;
  ~Untrapped() {}
#endif
  Untrapped(const Untrapped&) = delete;
  Untrapped& operator=(const Untrapped&) = delete;

 private:
  [[maybe_unused]] int before_ = 0;
};

}  // namespace nearmiss::test
