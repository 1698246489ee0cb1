// SPDX-License-Identifier: MIT
#include <nearmiss/detail/instruction_sets.h>

#include <array>

#include "narrow/pair_search.h"

namespace nearmiss {

namespace baseline {
void relate(const Pose& a, const Pose& b, Real reach, Pose& bToA, PackMotion& motion);
SearchEnd find(Search& s);
SearchEnd findByBoxes(Search& s);
SearchEnd prove(const Search& motion, InnerSearch& s);
SearchEnd compare(Search& s, const NearGroups& near);
}  // namespace baseline

#ifdef NEARMISS_HAS_AVX2
namespace avx2 {
void relate(const Pose& a, const Pose& b, Real reach, Pose& bToA, PackMotion& motion);
SearchEnd find(Search& s);
SearchEnd findByBoxes(Search& s);
SearchEnd prove(const Search& motion, InnerSearch& s);
SearchEnd compare(Search& s, const NearGroups& near);
}  // namespace avx2
#endif

#ifdef NEARMISS_HAS_AVX512
namespace avx512 {
void relate(const Pose& a, const Pose& b, Real reach, Pose& bToA, PackMotion& motion);
SearchEnd find(Search& s);
SearchEnd findByBoxes(Search& s);
SearchEnd prove(const Search& motion, InnerSearch& s);
SearchEnd compare(Search& s, const NearGroups& near);
}  // namespace avx512
#endif

std::span<const SearchPath> searchPaths() noexcept {
  static constexpr std::array all{
      SearchPath{"baseline", &baseline::relate, &baseline::find, &baseline::findByBoxes,
                 &baseline::prove, &baseline::compare},
#ifdef NEARMISS_HAS_AVX2
      SearchPath{"avx2", &avx2::relate, &avx2::find, &avx2::findByBoxes, &avx2::prove,
                 &avx2::compare},
#endif
#ifdef NEARMISS_HAS_AVX512
      SearchPath{"avx512", &avx512::relate, &avx512::find, &avx512::findByBoxes, &avx512::prove,
                 &avx512::compare},
#endif
  };
  return runnable(all);
}

}  // namespace nearmiss
