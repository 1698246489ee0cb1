// SPDX-License-Identifier: MIT
#include "console/interrupt.h"

#include <csignal>

namespace nearmiss::app {
namespace {

/// A signal handler can reach nothing but a variable like this.
volatile std::sig_atomic_t wasInterrupted = 0;

extern "C" void onInterrupt(int) { wasInterrupted = 1; }

}  // namespace

void watchForInterrupts() noexcept {
  struct sigaction action {};
  action.sa_handler = onInterrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() noexcept { return wasInterrupted != 0; }

}  // namespace nearmiss::app
