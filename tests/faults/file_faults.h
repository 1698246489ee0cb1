// SPDX-License-Identifier: MIT
/// Every fault of every call, one after the other.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "faults/file_calls.h"

namespace nearmiss::test {

/// Calls `run(fault)`, which returns how many calls of the kind there were, with a fault at the
/// first, the second, and so on until there are no more.
inline void forEveryFault(std::initializer_list<FileCall> kinds, const auto& run) {
  constexpr const char* names[] = {"open", "read", "write", "sync", "close", "rename", "truncate"};
  constexpr const char* faults[] = {"fails", "fails onwards", "is short", "is interrupted"};
  for (const FileCall call : kinds)
    for (const FaultKind kind :
         {FaultKind::Fails, FaultKind::FailsOnwards, FaultKind::Short, FaultKind::Interrupted}) {
      const bool partial = call == FileCall::Read || call == FileCall::Write;
      if (!partial && (kind == FaultKind::Short || kind == FaultKind::Interrupted)) continue;
      for (std::size_t number = 0, calls = 1; number < calls && number < 2000; ++number) {
        SCOPED_TRACE(std::string(names[static_cast<std::size_t>(call)]) + " " +
                     std::to_string(number) + " " + faults[static_cast<std::size_t>(kind)]);
        calls = run(FileFault{call, kind, call == FileCall::Write ? ENOSPC : EIO, number});
      }
    }
}

}  // namespace nearmiss::test
