// SPDX-License-Identifier: MIT
#include "support/vector_hash.h"

#include <gtest/gtest.h>

namespace nearmiss {
namespace {

TEST(Vectors, EveryOperationGivesTheRecordedBits) {
  EXPECT_EQ(test::vectorHash(), test::recordedVectorHash);
}

}  // namespace
}  // namespace nearmiss
