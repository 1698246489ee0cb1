# Loops that are compiled several times, once for each set of instructions, chosen when the program
# runs: see nearmiss/detail/instruction_sets.h.
include(CheckCXXSourceCompiles)

# nearmiss_instruction_sets(<target> <source>): besides <source>.cpp, <source>_avx2.cpp and
# <source>_avx512.cpp where the compiler knows these. No header that others compile may give them
# functions, or a linker might take theirs for all.
function(nearmiss_instruction_sets target source)
  set(avx2 -mavx2 "return _mm256_movemask_ps(_mm256_set1_ps(1.0f))")
  set(avx512 -mavx512vl
    "return _mm256_cmp_ps_mask(_mm256_set1_ps(1.0f), _mm256_set1_ps(1.0f), _CMP_LE_OQ)")
  foreach(name avx2 avx512)
    list(GET ${name} 0 flag)
    list(GET ${name} 1 program)
    string(TOUPPER NEARMISS_HAS_${name} known)
    set(CMAKE_REQUIRED_FLAGS ${flag})
    check_cxx_source_compiles("#include <immintrin.h>
      int main() { ${program}; }" ${known})
    if(${known})
      target_sources(${target} PRIVATE ${source}_${name}.cpp)
      set_source_files_properties(${source}_${name}.cpp PROPERTIES
        COMPILE_OPTIONS ${flag} SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
      target_compile_definitions(${target} PRIVATE ${known})
    endif()
  endforeach()
endfunction()
