// SPDX-License-Identifier: MIT
/// What actions are called in files.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "fly/host/key_bindings.h"

namespace nearmiss::app {

/// As in "thrust_forward".
[[nodiscard]] std::string_view actionName(Action action) noexcept;
[[nodiscard]] std::optional<Action> actionNamed(std::string_view name) noexcept;
/// In no order that means anything.
[[nodiscard]] std::span<const std::string_view> actionNames() noexcept;

}  // namespace nearmiss::app
