// SPDX-License-Identifier: MIT
/// Linked into a test program, stops it at the first division by zero, overflow or invalid
/// operation: what is finite must stay finite at every step, not only in the end.
#include <gtest/gtest.h>

#include <cfenv>

namespace nearmiss::test {
namespace {

class FloatingPointTraps final : public testing::Environment {
 public:
  void SetUp() override { feenableexcept(FE_DIVBYZERO | FE_OVERFLOW | FE_INVALID); }
  void TearDown() override { fedisableexcept(FE_ALL_EXCEPT); }
};

[[maybe_unused]] const testing::Environment* const traps =
    testing::AddGlobalTestEnvironment(new FloatingPointTraps);

}  // namespace
}  // namespace nearmiss::test
