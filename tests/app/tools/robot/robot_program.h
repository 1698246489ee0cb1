// SPDX-License-Identifier: MIT
/// `robot` as a user runs it, in a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include "support/program.h"

namespace nearmiss::test {

class RobotProgram : public testing::Test {
 protected:
  const TemporaryFolder& home() const { return program_.home(); }
  Outcome run(const Words& words) const { return program_.run(joined({"robot"}, words)); }

  Program program_{NEARMISS_PROGRAM};
};

}  // namespace nearmiss::test
