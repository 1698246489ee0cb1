# What g++ compiles and clang 14 does not, found without compiling everything twice:
# cmake -DROOT=<source folder> -P cmake/check_clang.cmake
# Whatever makes a std::ranges::subrange or a view of libstdc++ 12.
set(uncompiled "ranges::(subrange|unique|rotate|partition|stable_partition|remove|remove_if|search|equal_range|find_end)[(<{]|std::(ranges::)?views::")
set(faults 0)
foreach(folder collision engine app python tests examples)
  file(GLOB_RECURSE files ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.cpp)
  foreach(file ${files})
    file(STRINGS ${file} bad REGEX "${uncompiled}")
    if(NOT "${bad}" STREQUAL "")
      message("${file}: ${bad}")
      math(EXPR faults "${faults} + 1")
    endif()
  endforeach()
endforeach()
if(faults)
  message(FATAL_ERROR "clang 14 does not compile ${faults} files")
endif()
