// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "../two/needy.h"

namespace sample::one {

inline std::size_t longest(const std::vector<std::string>& words) { return two::lengthOf(words); }

}  // namespace sample::one
