// SPDX-License-Identifier: MIT
#include <engine/record/commit.h>

#include "commit_name.h"

namespace nearmiss::engine {

std::string_view commitName() noexcept { return NEARMISS_COMMIT; }

}  // namespace nearmiss::engine
