// SPDX-License-Identifier: MIT
#include <array>

#include "witness/search.h"

namespace nearmiss {

namespace baseline {
SearchEnd find(Search& s);
SearchEnd prove(const Search& motion, InnerSearch& s);
}  // namespace baseline

#ifdef NEARMISS_HAS_AVX2
namespace avx2 {
SearchEnd find(Search& s);
SearchEnd prove(const Search& motion, InnerSearch& s);
}  // namespace avx2
#endif

std::span<const SearchPath> searchPaths() noexcept {
  static constexpr std::array all{
      SearchPath{"baseline", &baseline::find, &baseline::prove},
#ifdef NEARMISS_HAS_AVX2
      SearchPath{"avx2", &avx2::find, &avx2::prove},
#endif
  };
#ifdef NEARMISS_HAS_AVX2
  static const bool known = __builtin_cpu_supports("avx2") != 0;
  if (!known) return std::span(all).first(1);
#endif
  return all;
}

}  // namespace nearmiss
