// SPDX-License-Identifier: MIT
/// Something that nobody pays for before it is needed.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace nearmiss {

/// Any thread may ask; the first one makes it while others wait.
template <class T>
class OnDemand {
 public:
  explicit OnDemand(std::function<T()> make) : make_(std::move(make)) {}

  [[nodiscard]] const T& get() {
    std::call_once(made_, [this] {
      value_.emplace(make_());
      make_ = nullptr;
    });
    return *value_;
  }

 private:
  std::function<T()> make_;
  std::once_flag made_;
  std::optional<T> value_;
};

}  // namespace nearmiss
