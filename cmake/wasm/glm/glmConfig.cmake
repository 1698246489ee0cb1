# GLM without the folder that it is installed in: that one also holds the headers of the host's C
# library, which must not be found in a build for WebAssembly.
find_path(NEARMISS_GLM_HOST_INCLUDE glm/glm.hpp PATHS /usr/include /usr/local/include
  NO_CMAKE_FIND_ROOT_PATH REQUIRED)
set(glm_folder ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${glm_folder})
file(CREATE_LINK ${NEARMISS_GLM_HOST_INCLUDE}/glm ${glm_folder}/glm SYMBOLIC)
if(NOT TARGET glm::glm)
  add_library(glm::glm INTERFACE IMPORTED)
  target_include_directories(glm::glm INTERFACE ${glm_folder})
endif()
