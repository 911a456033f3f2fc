# The CMake package: from the build folder itself (Ravel_DIR), and what `cmake --install` puts below its prefix.

include(CMakePackageConfigHelpers)

set(package_files ${PROJECT_SOURCE_DIR}/cmake/package/RavelAddTest.cmake ${PROJECT_SOURCE_DIR}/cmake/package/RavelListTests.cmake)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/RavelConfigVersion.cmake COMPATIBILITY SameMajorVersion)
file(COPY ${package_files} DESTINATION ${PROJECT_BINARY_DIR})

# Relative to the file itself, so that both folders can be moved.
set(ROOT .)
set(PROGRAM ravel)
set(LIBRARIES .)
configure_file(${PROJECT_SOURCE_DIR}/cmake/package/RavelConfig.cmake.in ${PROJECT_BINARY_DIR}/RavelConfig.cmake @ONLY)
set(ROOT ../../..)
set(PROGRAM bin/ravel)
set(LIBRARIES lib/ravel)
configure_file(${PROJECT_SOURCE_DIR}/cmake/package/RavelConfig.cmake.in ${PROJECT_BINARY_DIR}/installed/RavelConfig.cmake @ONLY)

# The wrappers look for the library in ../lib/ravel.
install(TARGETS ravel RUNTIME DESTINATION bin)
install(PROGRAMS ${PROJECT_BINARY_DIR}/ravel-c++ ${PROJECT_BINARY_DIR}/ravel-cc DESTINATION bin)
install(TARGETS ravel_threads LIBRARY DESTINATION lib/ravel)
if(TARGET ravel_inline_checks)
  install(TARGETS ravel_inline_checks LIBRARY DESTINATION lib/ravel)
endif()
install(FILES ${PROJECT_BINARY_DIR}/tsan/libtsan.so DESTINATION lib/ravel/tsan)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION include)
install(FILES ${PROJECT_SOURCE_DIR}/src/erlang/lib/ravel.erl
              ${PROJECT_SOURCE_DIR}/src/erlang/lib/ravel_explorer.erl
              ${PROJECT_SOURCE_DIR}/src/erlang/lib/ravel_monitor.erl DESTINATION share/ravel)
# The manual page and the completions, which the program prints from its table of options.
set(pages "")
foreach(page man:ravel.1 bash:ravel zsh:_ravel fish:ravel.fish)
  string(REPLACE ":" ";" page ${page})
  list(GET page 0 kind)
  list(GET page 1 file)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/pages/${file}
                     COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/pages
                     COMMAND ravel pages ${kind} > ${PROJECT_BINARY_DIR}/pages/${file}
                     DEPENDS ravel VERBATIM)
  list(APPEND pages ${PROJECT_BINARY_DIR}/pages/${file})
endforeach()
add_custom_target(pages ALL DEPENDS ${pages})
install(FILES ${PROJECT_BINARY_DIR}/pages/ravel.1 DESTINATION share/man/man1)
install(FILES ${PROJECT_BINARY_DIR}/pages/ravel DESTINATION share/bash-completion/completions)
install(FILES ${PROJECT_BINARY_DIR}/pages/_ravel DESTINATION share/zsh/vendor-completions)
install(FILES ${PROJECT_BINARY_DIR}/pages/ravel.fish DESTINATION share/fish/vendor_completions.d)
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION share/doc/ravel)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/ravel RENAME copyright)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION share/doc/ravel)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/integrations DESTINATION share/ravel USE_SOURCE_PERMISSIONS)
install(FILES ${package_files} ${PROJECT_BINARY_DIR}/installed/RavelConfig.cmake ${PROJECT_BINARY_DIR}/RavelConfigVersion.cmake
        DESTINATION lib/cmake/Ravel)
