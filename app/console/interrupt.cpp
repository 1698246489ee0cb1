// SPDX-License-Identifier: MIT
#include "console/interrupt.h"

#include <csignal>

namespace nearmiss::app {
namespace {

/// A signal handler may only access lock-free atomics.
std::atomic<bool> wasInterrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void onInterrupt(int) { wasInterrupted = true; }

}  // namespace

void watchForInterrupts() noexcept {
  struct sigaction action {};
  action.sa_handler = onInterrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() noexcept { return wasInterrupted; }

const std::atomic<bool>& interruption() noexcept { return wasInterrupted; }

}  // namespace nearmiss::app
