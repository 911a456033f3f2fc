# The Debian package: `cpack -G DEB` in the build folder. Which libraries it needs is read from the programs by dpkg-shlibdeps, so
# it is right for the release that it is made on, and for no other.

# Both are what CPack uses for that.
find_program(SHLIBDEPS dpkg-shlibdeps)
find_program(FILE_TYPES file)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ravel)
set(CPACK_PACKAGE_VENDOR "Ravel")
set(CPACK_PACKAGE_CONTACT "The maintainers of Ravel <maintainers@ravel.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "systematic concurrency tester for Erlang, Elixir, C and C++")
set(CPACK_PACKAGE_DESCRIPTION
    "Ravel runs an ordinary test under a scheduler that it controls, tries the schedules that matter, and shows the exact one\n\
that breaks the test, replayable for ever, or says precisely what it has ruled out.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The front ends: Erlang/OTP with its compiler, and the compiler that the plugin is for.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "erlang-base")
if(TARGET ravel_inline_checks)
  string(REGEX MATCH "^[0-9]+" major ${CMAKE_CXX_COMPILER_VERSION})
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", g++-${major}")
else()
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", g++")
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "erlang-eunit, elixir, cmake, gdb")
# Without ravel-cluster, which is linked with a library under the GPL: who wants it builds it.
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};ravel;Unspecified;/")
if(NOT SHLIBDEPS OR NOT FILE_TYPES)
  # Without it a package would have no dependencies at all.
  set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/no_shlibdeps.cmake)
endif()
include(CPack)
