// SPDX-License-Identifier: MIT
/// Loading a model that can be cancelled.
#pragma once

#include <engine/model/model_loader.h>

#include <atomic>

namespace nearmiss::engine {

/// As loadModel(); ends with Cancelled soon after `cancelled` becomes true: at once while the file
/// is read, and between two steps of what follows.
Result<LoadedModel> loadModel(const std::filesystem::path& file, const LoadOptions& options,
                              const std::atomic<bool>& cancelled);

}  // namespace nearmiss::engine
