// SPDX-License-Identifier: MIT
/// Compiles after a header that includes <vector>, not alone; absent.h is nowhere.
#pragma once

#include <string>

namespace sample::two {

inline std::size_t lengthOf(const std::vector<std::string>& words) { return words.size(); }

}  // namespace sample::two
