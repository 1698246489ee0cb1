// SPDX-License-Identifier: MIT
/// A window that nobody sees, with an OpenGL 3.3 context that tells its errors.
#pragma once

#include <string>
#include <vector>

namespace nearmiss::test {

class OffscreenWindow {
 public:
  OffscreenWindow(int width, int height);
  ~OffscreenWindow();
  OffscreenWindow(const OffscreenWindow&) = delete;
  OffscreenWindow& operator=(const OffscreenWindow&) = delete;

  /// Why there is no context; empty if there is one.
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }
  /// True if the driver reports errors by itself (GL_KHR_debug).
  [[nodiscard]] bool reports() const noexcept { return reports_; }
  /// What the driver called an error or undefined behaviour so far.
  [[nodiscard]] const std::vector<std::string>& complaints() const noexcept { return complaints_; }
  void forgetComplaints() noexcept { complaints_.clear(); }

 private:
  void* window_ = nullptr;
  void* context_ = nullptr;
  bool reports_ = false;
  std::string failure_;
  std::vector<std::string> complaints_;
};

}  // namespace nearmiss::test
