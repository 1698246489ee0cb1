// SPDX-License-Identifier: MIT
#include <nearmiss/detail/assertion.h>

#include <cstdio>
#include <cstdlib>

namespace nearmiss::detail {

void misuse(const char* file, int line, const char* condition, const char* names,
            std::string_view values) noexcept {
  std::fprintf(stderr, "nearmiss: %s:%d: expected %s", file, line, condition);
  if (!values.empty())
    std::fprintf(stderr, ", but %s = %.*s", names, static_cast<int>(values.size()), values.data());
  std::fputc('\n', stderr);
  std::abort();
}

}  // namespace nearmiss::detail
