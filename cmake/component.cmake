# One static library per component folder, so that the linker and the include test know the direction
# between components. Sources are globbed: a new file needs no edit here.

# ravel_component(NAME FOLDER [DEPENDS component...] [LINK library...] [INSIDE runtime])
# Defines the library ravel_NAME from src/FOLDER/*.cc (main.cc is a program's, not the library's). While
# the folder has no .cc file the library is an interface, so that others can already depend on it.
# A component INSIDE a runtime library takes the place of functions of the C library, so that nothing but that library,
# which ravel_runtime_library() makes, may link it.
function(ravel_component name folder)
  cmake_parse_arguments(arg "" "INSIDE" "DEPENDS;LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  list(TRANSFORM arg_DEPENDS PREPEND ravel_ OUTPUT_VARIABLE dependencies)
  string(REPLACE ";" " " row "${name} ${folder} ${arg_DEPENDS}")
  set_property(GLOBAL APPEND PROPERTY ravel_component_rows "${row}")
  if(arg_INSIDE)
    set_property(GLOBAL APPEND PROPERTY ravel_inside_${arg_INSIDE} ${sources})
    return()
  endif()
  if(sources)
    add_library(ravel_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(ravel_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(ravel_${name} ${scope} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(ravel_${name} ${scope} ${dependencies} ${arg_LINK})
  set_property(GLOBAL APPEND PROPERTY ravel_component_names ${name})
endfunction()

# ravel_erlang_library(NAME FOLDER): compiles src/FOLDER/*.erl into component NAME (erlang_library.h).
function(ravel_erlang_library name folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.erl)
  find_program(ERLC erlc REQUIRED)
  set(made ${PROJECT_BINARY_DIR}/erlang_library)
  set(script ${PROJECT_SOURCE_DIR}/cmake/erlang_library.cmake)
  add_custom_command(
    OUTPUT ${made}/erlang_library.inc
    COMMAND ${CMAKE_COMMAND} -DERLC=${ERLC} "-DSOURCES=${sources}" -DFOLDER=${made} -P ${script}
    DEPENDS ${sources} ${script}
    VERBATIM)
  target_sources(ravel_${name} PRIVATE ${made}/erlang_library.inc)
  target_include_directories(ravel_${name} PRIVATE ${made})
endfunction()

# ravel_program(NAME SOURCE DEPENDS component...)
# Defines the executable NAME, left at the top of the build folder, once src/SOURCE exists.
function(ravel_program name source)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${source})
  if(NOT sources)
    return()
  endif()
  list(TRANSFORM arg_DEPENDS PREPEND ravel_)
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endfunction()

# Writes "NAME FOLDER DEPENDS..." lines for tests/layering, which checks the sources against them.
function(ravel_write_component_table)
  get_property(rows GLOBAL PROPERTY ravel_component_rows)
  list(JOIN rows "\n" text)
  file(WRITE ${PROJECT_BINARY_DIR}/components.txt "${text}\n")
endfunction()

# ravel_benchmarks(FOLDER): each FOLDER/*_bench.cc is a Google Benchmark program; `benchmarks` builds them.
function(ravel_benchmarks folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*_bench.cc)
  find_package(benchmark QUIET)
  add_custom_target(benchmarks)
  if(NOT benchmark_FOUND)
    return()
  endif()
  foreach(source ${sources})
    cmake_path(GET source STEM name)
    add_executable(${name} EXCLUDE_FROM_ALL ${source})
    target_link_libraries(${name} PRIVATE ravel_cli benchmark::benchmark_main)
    add_dependencies(benchmarks ${name})
  endforeach()
endfunction()
