// SPDX-License-Identifier: MIT
/// Shapes and answers are equal bit for bit with every compiler and every C++ standard library: no
/// order among equal keys is left to an algorithm of the library.
#include <gtest/gtest.h>

#include "support/portable_answers.h"

namespace nearmiss {
namespace {

TEST(PortableAnswers, BytesOfShapesAreTheRecordedOnes) {
  for (const auto& [builder, expected] : test::recordedShapes)
    EXPECT_EQ(test::shapeHash(builder), expected) << builder;
}

TEST(PortableAnswers, QueriesOfAThousandPosesGiveTheRecordedAnswers) {
  const test::AnswerHashes found = test::answerHashes();
  EXPECT_GT(found.touching, 200);
  EXPECT_LT(found.touching, 800);
  EXPECT_EQ(found.verdicts, test::recordedAnswers.verdicts);
  EXPECT_EQ(found.witnesses, test::recordedAnswers.witnesses);
  EXPECT_EQ(found.distances, test::recordedAnswers.distances);
  EXPECT_EQ(found.contacts, test::recordedAnswers.contacts);
  EXPECT_EQ(found.rays, test::recordedAnswers.rays);
}

}  // namespace
}  // namespace nearmiss
