# Finds what the window needs; sets NEARMISS_HAVE_FLY and, with it, the targets SDL2::SDL2,
# nearmiss_glad and nearmiss_imgui. glad is generated at build time, so no foreign code lies here.
find_package(SDL2 QUIET)
find_package(PkgConfig QUIET)
find_program(NEARMISS_GLAD glad)
set(NEARMISS_HAVE_FLY OFF)
if(PkgConfig_FOUND)
  pkg_check_modules(nearmiss_imgui_pc QUIET IMPORTED_TARGET GLOBAL imgui)
  pkg_check_modules(nearmiss_stb_pc QUIET IMPORTED_TARGET GLOBAL stb)
endif()
if(SDL2_FOUND AND nearmiss_imgui_pc_FOUND AND nearmiss_stb_pc_FOUND AND NEARMISS_GLAD)
  # The tests use it as well
  set_target_properties(SDL2::SDL2 PROPERTIES IMPORTED_GLOBAL ON)
  enable_language(C)
  set(glad_dir ${CMAKE_BINARY_DIR}/glad)
  add_custom_command(OUTPUT ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h
    COMMAND ${NEARMISS_GLAD} --api gl:core=3.3 --extensions GL_KHR_debug
            --reproducible --quiet --out-path ${glad_dir} c
    COMMENT "Generating the OpenGL loader")
  add_library(nearmiss_glad STATIC ${glad_dir}/src/gl.c)
  target_include_directories(nearmiss_glad SYSTEM PUBLIC ${glad_dir}/include)
  target_link_libraries(nearmiss_glad PUBLIC ${CMAKE_DL_LIBS})
  set(NEARMISS_HAVE_FLY ON)
else()
  message(STATUS "nearmiss: SDL2, imgui, stb or python3-glad is missing; see fly.sh for the packages")
endif()
