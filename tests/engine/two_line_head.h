// SPDX-License-Identifier: MIT
/// The head of a record of which one value has two lines.
#pragma once

#include <engine/record/record_head.h>

namespace nearmiss::engine {

inline const RecordHead head{{"format", "nearmiss record 1"}, {"scene", "two\nlines"}};

}  // namespace nearmiss::engine
