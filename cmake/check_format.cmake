# Every C++ file stands as clang-format leaves it.
#   cmake -D ROOT=DIR -D CLANG_FORMAT=PROGRAM -P check_format.cmake
file(GLOB_RECURSE files ${ROOT}/collision/*.h ${ROOT}/collision/*.cpp ${ROOT}/engine/*.h
  ${ROOT}/engine/*.cpp ${ROOT}/app/*.h ${ROOT}/app/*.cpp ${ROOT}/tests/*.h ${ROOT}/tests/*.cpp
  ${ROOT}/python/*.h ${ROOT}/python/*.cpp ${ROOT}/examples/*.h ${ROOT}/examples/*.c
  ${ROOT}/examples/*.cpp)
execute_process(COMMAND ${CLANG_FORMAT} --dry-run -Werror ${files} RESULT_VARIABLE faults)
if(faults)
  message(FATAL_ERROR "some files are not formatted: clang-format -i FILE")
endif()
