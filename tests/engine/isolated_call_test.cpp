// SPDX-License-Identifier: MIT
#include "model/isolated_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "support/build_kind.h"

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
  EXPECT_THAT(aborted.error().message, HasSubstr("crashed"));
  const auto killed = callIsolated([]() -> Bytes {
    ::kill(::getpid(), SIGKILL);
    return {};
  });
  EXPECT_FALSE(killed);
  for (const int code : {0, 1}) {
    const auto ended = callIsolated([code]() -> Bytes { ::_exit(code); });
    ASSERT_FALSE(ended) << "it has returned nothing";
    EXPECT_EQ(ended.error().code, ErrorCode::BadFormat);
  }
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

TEST(IsolatedCall, HoldsItsChildToItsMemoryAndSaysHowMuch) {
  if (nearmiss::test::isSanitized) GTEST_SKIP() << nearmiss::test::noMemoryLimit;
  const auto take = [](std::size_t megabytes) {
    return [megabytes] {
      Bytes all(megabytes << 20, std::byte{1});
      all.resize(1);
      return all;
    };
  };
  const IsolationLimits limits{.memoryBytes = std::size_t{100} << 20};
  EXPECT_TRUE(callIsolated(take(50), limits));
  const auto refused = callIsolated(take(150), limits);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::TooLarge);
  EXPECT_THAT(refused.error().message, HasSubstr("more than the 100 MiB of memory"));
  // Memory of the caller itself does not count
  const Bytes own(std::size_t{300} << 20, std::byte{1});
  EXPECT_TRUE(callIsolated(take(50), limits));
  // And who finds more to read may have more
  EXPECT_TRUE(callIsolated(
      [&] {
        extendIsolation(std::size_t{100} << 20, std::chrono::seconds(1));
        return take(150)();
      },
      limits));
}

TEST(IsolatedCall, EndsItsChildWhenNobodyWantsTheAnswer) {
  std::atomic<bool> cancelled{false};
  std::jthread changesItsMind([&cancelled] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cancelled = true;
  });
  const auto result = callIsolated(
      []() -> Bytes {
        while (true) ::pause();
      },
      {.cancelled = &cancelled});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::Cancelled);
}

/// Where the program's own caller ignores ended children, so does the program.
TEST(IsolatedCall, KnowsAResultWhereEndedChildrenAreIgnored) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const auto whole = callIsolated([] { return Bytes(200'000, std::byte{7}); });
  const auto aborted = callIsolated([]() -> Bytes { std::abort(); });
  // As of a child that is killed while it writes: the length of a result, and some of it
  const auto broken = callIsolated([]() -> Bytes {
    const std::uint64_t length = 10;
    (void)!::write(3, &length, sizeof length);
    (void)!::write(3, "12345", 5);
    ::_exit(0);
  });
  const auto hungry = callIsolated([]() -> Bytes { throw std::bad_alloc(); });
  const auto threw = callIsolated([]() -> Bytes { throw std::runtime_error("no"); });
  std::signal(SIGCHLD, before);
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_EQ(*whole, Bytes(200'000, std::byte{7}));
  for (const auto* each : {&aborted, &broken}) {
    ASSERT_FALSE(*each);
    EXPECT_EQ(each->error().code, ErrorCode::BadFormat);
    EXPECT_THAT(each->error().message, HasSubstr("crashed"));
  }
  ASSERT_FALSE(hungry);
  EXPECT_EQ(hungry.error().code, ErrorCode::TooLarge);
  ASSERT_FALSE(threw);
  EXPECT_THAT(threw.error().message, HasSubstr("fails on it"));
}

TEST(IsolatedCall, LeavesNoChildBehindWhenTheCallerIsKilled) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t caller = ::fork();
  if (caller == 0) {
    // The child keeps only this stream as it is
    ::dup2(ends[1], STDIN_FILENO);
    (void)callIsolated([]() -> Bytes {
      (void)!::write(STDIN_FILENO, ".", 1);
      while (true) ::pause();
    });
    ::_exit(0);
  }
  ::close(ends[1]);
  char byte = 0;
  ASSERT_EQ(::read(ends[0], &byte, 1), 1) << "the child never lived";
  ::kill(caller, SIGKILL);
  ::waitpid(caller, nullptr, 0);
  EXPECT_EQ(::read(ends[0], &byte, 1), 0) << "someone still holds the other end";
  ::close(ends[0]);
}

}  // namespace
}  // namespace nearmiss::engine
