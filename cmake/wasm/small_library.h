// SPDX-License-Identifier: MIT
/// Included before every source in a build for WebAssembly: functions of the standard library are compiled
/// for size. Each sort is an instantiation of its own, and together they would be a quarter of the module.
#pragma once

#if defined(__cplusplus) && defined(__clang__)
#pragma clang attribute push(__attribute__((minsize)), apply_to = function)
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
#pragma clang attribute pop
#endif
