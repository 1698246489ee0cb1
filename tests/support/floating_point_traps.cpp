// SPDX-License-Identifier: MIT
/// Linked into a test program, fails each test that divides by zero, overflows or makes a NaN: what
/// is finite must stay finite at every step, not only in the end.
#include <gtest/gtest.h>

#if defined(__x86_64__) && defined(__linux__)
#include <execinfo.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cfenv>
#include <csignal>
#include <cstdint>

namespace nearmiss::test {
namespace {

std::atomic<int> trapped{0};  // of the present test
std::atomic<int> stepped{0};
constexpr std::uint32_t allMasks = 0x3Fu << 7, allFlags = 0x3Fu;
constexpr std::uint32_t judged = 0xDu << 7;  // masks of invalid, division by zero, overflow
constexpr greg_t singleStep = 0x100;

/// Whether the instruction computes a single number. Vector instructions are not judged, for unused
/// lanes may hold anything, nor are comparisons, by which a door detects a NaN.
bool computesOne(const std::uint8_t* code) noexcept {
  constexpr std::uint8_t compare = 0xC2;
  bool one = false;
  for (; *code == 0x66 || *code == 0xF2 || *code == 0xF3; ++code) one = one || *code != 0x66;
  if ((*code & 0xF0) == 0x40) ++code;
  if (*code == 0x0F) return one && code[1] != compare;
  const bool isVex2 = *code == 0xC5, isVex3 = *code == 0xC4, isEvex = *code == 0x62;
  const int last = isVex2 ? 1 : isVex3 ? 2 : isEvex ? 3 : 0;
  if (last == 0) return false;
  // What the prefixes F2 and F3 say elsewhere
  one = (code[isVex2 ? 1 : 2] & 3) >= 2;
  return one && code[last + 1] != compare;
}

void onTrap(int /*signal*/, siginfo_t* info, void* context) {
  ucontext_t& state = *static_cast<ucontext_t*>(context);
  state.uc_mcontext.fpregs->mxcsr |= allMasks;
  state.uc_mcontext.fpregs->mxcsr &= ~allFlags;
  if (!computesOne(static_cast<const std::uint8_t*>(info->si_addr))) {
    // Steps over this instruction and traps the next ones again; a step may take a millisecond
    constexpr int maxSteps = 50;
    if (stepped.fetch_add(1) < maxSteps) state.uc_mcontext.gregs[REG_EFL] |= singleStep;
    return;
  }
  // One fault of a test is enough
  if (trapped.fetch_add(1) > 0) return;
  std::array<void*, 24> frames{};
  backtrace_symbols_fd(frames.data(), backtrace(frames.data(), static_cast<int>(frames.size())),
                       STDERR_FILENO);
}

void afterStep(int /*signal*/, siginfo_t* /*info*/, void* context) {
  ucontext_t& state = *static_cast<ucontext_t*>(context);
  state.uc_mcontext.gregs[REG_EFL] &= ~singleStep;
  state.uc_mcontext.fpregs->mxcsr &= ~(judged | allFlags);
}

class FloatingPointTraps final : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& /*test*/) override {
    trapped = stepped = 0;
    std::feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(FE_DIVBYZERO | FE_OVERFLOW | FE_INVALID);
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    fedisableexcept(FE_ALL_EXCEPT);
    EXPECT_EQ(trapped, 0)
        << test.test_suite_name() << '.' << test.name()
        << " divided by zero, overflowed or made a NaN: addr2line names the calls above";
  }
};

[[maybe_unused]] const bool isSet = [] {
  // The first call of backtrace() loads a library, which no handler of a signal may
  std::array<void*, 1> first{};
  (void)backtrace(first.data(), 1);
  const auto handle = [](int signal, void (*handler)(int, siginfo_t*, void*)) {
    struct sigaction action {};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    (void)sigaction(signal, &action, nullptr);
  };
  handle(SIGFPE, onTrap);
  handle(SIGTRAP, afterStep);
  testing::UnitTest::GetInstance()->listeners().Append(new FloatingPointTraps);
  return true;
}();

}  // namespace
}  // namespace nearmiss::test
#endif
