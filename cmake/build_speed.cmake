# Front ends are most of a compile: each storey has its usual headers precompiled, and its sources
# are compiled in batches. A test compiles every header alone, so that neither hides a missing
# include.
option(NEARMISS_FAST_BUILD "Precompiled headers, and sources compiled in batches" ON)

set(nearmiss_std_headers <algorithm> <array> <atomic> <bit> <chrono> <cmath> <cstddef> <cstdint>
  <cstdio> <cstring> <filesystem> <functional> <limits> <map> <memory> <mutex> <numbers> <numeric>
  <optional> <set> <span> <string> <string_view> <thread> <tuple> <utility> <variant> <vector>)
if(NEARMISS_BARE)
  list(REMOVE_ITEM nearmiss_std_headers <filesystem> <mutex> <thread>)
endif()
set(nearmiss_glm_headers <glm/common.hpp> <glm/geometric.hpp> <glm/gtc/quaternion.hpp> <glm/mat3x3.hpp>
  <glm/mat4x4.hpp> <glm/vec2.hpp> <glm/vec3.hpp> <glm/vec4.hpp>)

# nearmiss_fast_build(<target> [FMT] [BATCHES] [COMMANDS]): FMT: its sources print; BATCHES: no two
# of its sources share a name in their anonymous namespaces; COMMANDS: they read words, call the
# libraries and print, so that optimising them takes longer than it saves
function(nearmiss_fast_build target)
  if(NOT NEARMISS_FAST_BUILD)
    return()
  endif()
  cmake_parse_arguments(arg "FMT;BATCHES;COMMANDS" "" "" ${ARGN})
  set(headers ${nearmiss_std_headers} ${nearmiss_glm_headers})
  if(arg_FMT)
    list(APPEND headers <fmt/format.h>)
  endif()
  set(batch 12)
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  # A single batch reads its headers once in any case. Sources that are added later are not known here
  if(NOT arg_BATCHES OR NOT sources OR count GREATER batch)
    target_precompile_headers(${target} PRIVATE ${headers})
  endif()
  if(arg_BATCHES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
    # gcc lets small units grow without limit: a batch is as many of them, and else calls inner loops
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=large-unit-insns=100000>)
  endif()
  if(arg_COMMANDS)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()
