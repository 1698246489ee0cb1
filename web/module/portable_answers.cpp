// SPDX-License-Identifier: MIT
/// The cases of tests/shape/portable_answers_test.cpp as a module, so that node compares them with
/// what was recorded natively.
#include "support/portable_answers.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

using namespace nearmiss;

namespace {

const test::AnswerHashes& answers() {
  static const test::AnswerHashes found = test::answerHashes();
  return found;
}

std::uint64_t hashNumber(const test::AnswerHashes& hashes, int which) {
  const std::uint64_t all[] = {hashes.verdicts, hashes.witnesses, hashes.distances, hashes.contacts,
                               hashes.rays};
  return all[which];
}

}  // namespace

/// Shapes come first, then the five kinds of answers.
EXPORTED int portable_count(void) { return static_cast<int>(test::recordedShapes.size()) + 5; }

EXPORTED std::uint64_t portable_found(int which) {
  const int shapes = static_cast<int>(test::recordedShapes.size());
  if (which >= shapes) return hashNumber(answers(), which - shapes);
  return test::shapeHash(test::recordedShapes[static_cast<std::size_t>(which)].first);
}

EXPORTED std::uint64_t portable_recorded(int which) {
  const int shapes = static_cast<int>(test::recordedShapes.size());
  if (which >= shapes) return hashNumber(test::recordedAnswers, which - shapes);
  return test::recordedShapes[static_cast<std::size_t>(which)].second;
}

EXPORTED int portable_touching(void) { return answers().touching; }
