# The simulator as a module of WebAssembly, for the page: the core, with models in memory instead of
# files. web/page/build.sh builds it. Its libraries are headers only, without the folder that they are
# installed in: that one also holds the headers of the host's C library.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
set(headers ${CMAKE_BINARY_DIR}/page_headers)
file(MAKE_DIRECTORY ${headers})
foreach(header fmt/format.h nlohmann/json.hpp toml++/toml.h xxhash.h xxh3.h)
  string(REGEX REPLACE "/.*" "" name ${header})
  find_path(host_${name} ${header} PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(CREATE_LINK ${host_${name}}/${name} ${headers}/${name} SYMBOLIC)
endforeach()

# Natively a part of the library that reads models
list(APPEND core src/base/nearest_name.cpp src/model/articulated_names.cpp)

add_library(nearmiss_page_objects OBJECT ${core}
  src/page/flight_c.cpp
  src/page/hand_c.cpp
  src/page/page_flight.cpp
  src/page/page_models.cpp
  src/page/without_files.cpp)
target_include_directories(nearmiss_page_objects PUBLIC include PRIVATE src)
target_include_directories(nearmiss_page_objects SYSTEM PRIVATE ${headers})
target_link_libraries(nearmiss_page_objects PUBLIC nearmiss::rivals PRIVATE Eigen3::Eigen nearmiss_flags)
target_compile_definitions(nearmiss_page_objects PRIVATE EIGEN_MPL2_ONLY
  FMT_HEADER_ONLY FMT_EXCEPTIONS=0 FMT_USE_INT128=0 TOML_EXCEPTIONS=0 XXH_INLINE_ALL
  JSON_NOEXCEPTION JSON_HAS_FILESYSTEM=0 JSON_HAS_EXPERIMENTAL_FILESYSTEM=0)
# A page waits for every byte of what runs once: texts, sessions, and the rival methods
set(small ${core})
list(FILTER small EXCLUDE REGEX "src/flight/")
set_source_files_properties(${small} src/page/page_models.cpp src/page/without_files.cpp PROPERTIES COMPILE_OPTIONS -Oz)
target_compile_options(nearmiss_rivals PRIVATE -Oz)
