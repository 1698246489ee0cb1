// SPDX-License-Identifier: MIT
#include "isolated_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace nearmiss::engine {
namespace {

using testing::HasSubstr;
using Bytes = std::vector<std::byte>;

TEST(IsolatedCall, ReturnsWhatTheChildReturns) {
  for (const std::size_t size : {0u, 1u, 65'536u, 3'000'001u}) {
    const auto result = callIsolated([size] { return Bytes(size, std::byte{7}); });
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(*result, Bytes(size, std::byte{7}));
  }
}

TEST(IsolatedCall, LeavesTheCallerAsItIs) {
  int here = 1;
  const auto result = callIsolated([&here] {
    here = 2;
    return Bytes{std::byte(here)};
  });
  ASSERT_TRUE(result);
  EXPECT_EQ((*result)[0], std::byte{2});
  EXPECT_EQ(here, 1);
}

TEST(IsolatedCall, SurvivesEveryWayToDie) {
  const auto aborted = callIsolated([]() -> Bytes { std::abort(); });
  ASSERT_FALSE(aborted);
  EXPECT_EQ(aborted.error().code, ErrorCode::BadFormat);
  EXPECT_THAT(aborted.error().message, HasSubstr("breaks off"));
  const auto killed = callIsolated([]() -> Bytes {
    ::kill(::getpid(), SIGKILL);
    return {};
  });
  EXPECT_FALSE(killed);
  const auto ended = callIsolated([]() -> Bytes { ::_exit(0); });
  ASSERT_TRUE(ended);
  EXPECT_TRUE(ended->empty());
  EXPECT_FALSE(callIsolated([]() -> Bytes { ::_exit(1); }));
  EXPECT_FALSE(callIsolated([]() -> Bytes { throw std::runtime_error("no"); }));
  const auto hungry = callIsolated([]() -> Bytes { throw std::bad_alloc(); });
  ASSERT_FALSE(hungry);
  EXPECT_EQ(hungry.error().code, ErrorCode::TooLarge);
}

TEST(IsolatedCall, EndsWhatTakesTooLong) {
  const auto result = callIsolated(
      []() -> Bytes {
        while (true) ::pause();
      },
      {.wallTime = std::chrono::seconds(1)});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("more than 1 s"));
}

TEST(IsolatedCall, EndsWhatWorksTooLong) {
  const auto result = callIsolated(
      []() -> Bytes {
        std::atomic<int> turns{0};
        while (true) ++turns;
      },
      {.processorTime = std::chrono::seconds(1)});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("more than 1 s"));
}

TEST(IsolatedCall, EndsWhatSaysTooMuch) {
  EXPECT_FALSE(callIsolated([] { return Bytes(1000); }, {.resultBytes = 999}));
  EXPECT_TRUE(callIsolated([] { return Bytes(1000); }, {.resultBytes = 1000}));
}

}  // namespace
}  // namespace nearmiss::engine
