// SPDX-License-Identifier: MIT
#include "complaint.h"

#include <fmt/format.h>

#include <cstdio>

namespace nearmiss::app {

void complain(std::string_view sentence) { fmt::print(stderr, "nearmiss: {}\n", sentence); }

int complain(const Error& error, ExitCode otherwise) {
  complain(error.message);
  return error.code == ErrorCode::Cancelled ? Interrupted : otherwise;
}

}  // namespace nearmiss::app
