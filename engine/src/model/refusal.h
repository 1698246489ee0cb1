// SPDX-License-Identifier: MIT
/// Sentences that refuse a model file.
#pragma once

#include <nearmiss/result.h>

#include <filesystem>
#include <string_view>

namespace nearmiss::engine {

/// A sentence that names the file. The fault may quote arbitrary bytes of it: it is cut short, and
/// what cannot be printed is replaced.
[[nodiscard]] Error refusal(const std::filesystem::path& file, ErrorCode code,
                            std::string_view fault);

[[nodiscard]] inline Error badFormat(const std::filesystem::path& file, std::string_view fault) {
  return refusal(file, ErrorCode::BadFormat, fault);
}

}  // namespace nearmiss::engine
