// SPDX-License-Identifier: MIT
#include "complaint.h"

#include <engine/shortage.h>
#include <fmt/format.h>

#include <cstdio>

namespace nearmiss::app {

void complain(std::string_view sentence) { fmt::print(stderr, "nearmiss: {}\n", sentence); }

int complain(const Error& error, ExitCode otherwise) {
  complain(error.message);
  if (error.code == ErrorCode::Cancelled) return Interrupted;
  return error.code == engine::shortage ? Environment : otherwise;
}

}  // namespace nearmiss::app
