# An overlay port of the checkout that it lies in
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

# The C functions are a shared library in any case, for languages that load one
set(VCPKG_POLICY_DLLS_IN_STATIC_LIBRARY enabled)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS
  -DNEARMISS_BUILD_APP=OFF -DNEARMISS_BUILD_TESTS=OFF -DNEARMISS_BUILD_EXAMPLES=OFF -DNEARMISS_BUILD_PYTHON=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/nearmiss)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/nearmiss")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
