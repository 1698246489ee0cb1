// SPDX-License-Identifier: MIT
/// The language of a host program whose decimals follow a comma.
#pragma once

#include <stdlib.h>

#include <clocale>
#include <string>
#include <string_view>

#include "support/files.h"

namespace nearmiss::test {

/// In force as long as it lives. Made for the test, since machines rarely have one.
class CommaLocale {
 public:
  CommaLocale() {
    const std::string name = "de_DE.UTF-8";
    const std::string made = (folder_ / name).string();
    if (std::system(("localedef -i de_DE -f UTF-8 " + made + " >/dev/null 2>&1").c_str()) != 0)
      return;
    ::setenv("LOCPATH", folder_.path().c_str(), 1);
    there_ = std::setlocale(LC_ALL, name.c_str()) &&
             std::string_view(std::localeconv()->decimal_point) == ",";
  }
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;
  ~CommaLocale() {
    std::setlocale(LC_ALL, "C");
    ::unsetenv("LOCPATH");
  }
  /// False where the machine cannot make one.
  [[nodiscard]] bool isThere() const noexcept { return there_; }

 private:
  TemporaryFolder folder_;
  bool there_ = false;
};

}  // namespace nearmiss::test
