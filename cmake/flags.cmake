# Flags for every target of this project, kept out of what is installed.
add_library(nearmiss_flags INTERFACE)
target_compile_options(nearmiss_flags INTERFACE
  -Wall -Wextra -Wpedantic
  # clang would object to a local name because another file of the batch has it too
  $<$<CXX_COMPILER_ID:GNU>:-Wshadow>
  -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
  # Exact sums need every rounding, also where a parent project sets -ffast-math. It stands before
  # -ffp-contract, which clang would otherwise reset
  -fno-fast-math
  # gcc and clang must round alike, or the state hashes differ between them
  -ffp-contract=off)
# Unknown compilers, and warnings that a parent project turns on, must not break its build
if(PROJECT_IS_TOP_LEVEL AND NEARMISS_BUILD_APP)
  target_compile_options(nearmiss_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # gcc 12 sees overlapping, endless and misplaced copies in strings that are joined from literals
  target_compile_options(nearmiss_flags INTERFACE -Wno-restrict -Wno-stringop-overflow
    -Wno-array-bounds)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND PROJECT_IS_TOP_LEVEL)
  # gcc tidies its memory first at 500 MB, which saves a tenth of a compile
  target_compile_options(nearmiss_flags INTERFACE --param=ggc-min-heapsize=500000)
endif()
if(NEARMISS_SANITIZE)
  target_compile_options(nearmiss_flags INTERFACE
    -fsanitize=${NEARMISS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(nearmiss_flags INTERFACE -fsanitize=${NEARMISS_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Code that sanitizers insert keeps gcc from seeing that arrays are filled, and how long they are
    target_compile_options(nearmiss_flags INTERFACE -Wno-maybe-uninitialized -Wno-stringop-overread)
  endif()
endif()
if(NEARMISS_FUZZ)
  # Counts which code an input reaches; the program itself links with libFuzzer
  target_compile_options(nearmiss_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
