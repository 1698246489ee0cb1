// SPDX-License-Identifier: MIT
/// The code of errors that are the machine's: memory or threads that it lacks.
#pragma once

#include <nearmiss/result.h>

namespace nearmiss::engine {

/// TooLarge is what a rule refuses; this is what the machine cannot do. Follows the last of
/// ErrorCode.
inline constexpr ErrorCode shortage =
    static_cast<ErrorCode>(static_cast<std::uint8_t>(ErrorCode::Cancelled) + 1);

}  // namespace nearmiss::engine
