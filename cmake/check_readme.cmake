# The first C++ block of README.md is examples/first_answer.cpp, to the letter.
#   cmake -D ROOT=DIR -P check_readme.cmake
file(READ ${ROOT}/README.md readme)
file(READ ${ROOT}/examples/first_answer.cpp example)
string(REPLACE "// SPDX-License-Identifier: MIT\n" "" example "${example}")
string(FIND "${readme}" "```cpp\n${example}```" found)
if(found EQUAL -1)
  message(FATAL_ERROR "README.md does not show examples/first_answer.cpp as it is")
endif()
