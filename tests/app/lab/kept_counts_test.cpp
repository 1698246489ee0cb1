// SPDX-License-Identifier: MIT
/// Counts of kept tables, measured again.
#include <gtest/gtest.h>

#include <cstddef>

#include "support/csv.h"
#include "support/files.h"
#include "support/program.h"

namespace nearmiss {
namespace {

using test::readText;
using test::Table;

/// A kept table describes this program if its counts come out again. Otherwise make it again with
/// docs/measurements/make.py.
TEST(KeptTables, HaveTheCountsOfThisProgram) {
  const test::Program program(NEARMISS_PROGRAM);
  ASSERT_EQ(program
                .run({"lab", "detectors", "--broad", "space-time", "--narrow", "sphere-tree-all",
                      "--rounds", "1", "-o", "d"})
                .exitCode,
            0);
  const Table now(readText(program.home() / "d/detectors.csv")),
      kept(readText(NEARMISS_SOURCE_DIR "/docs/measurements/detectors.csv"));
  ASSERT_EQ(now.rows(), 5u);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < now.rows(); ++i)
    for (std::size_t k = 0; k < kept.rows(); ++k) {
      const auto same = [&](const char* column) {
        return now.text(i, column) == kept.text(k, column);
      };
      if (!same("broad") || !same("narrow") || !same("until")) continue;
      ++compared;
      for (const char* column :
           {"pairs", "contacts", "possible", "missed", "invented", "bound_tests"})
        EXPECT_EQ(now.text(i, column), kept.text(k, column)) << now.text(i, "until") << column;
    }
  EXPECT_EQ(compared, now.rows());
}

}  // namespace
}  // namespace nearmiss
