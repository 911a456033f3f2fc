# ravel_add_test(TARGET [STRATEGY name] [BUDGET amount...] [OPTIONS option...] [ARGS argument...])
#
# Explores the executable TARGET in ctest. What is explored is a copy of it, ravel_TARGET: the same sources with the same
# properties, compiled with thread instrumentation and linked with Ravel's runtime, and so are the static, shared and object
# libraries of this project that it links; TARGET itself stays as it is. Assertions are on in the copy whatever the type of
# the build. Call it when TARGET is complete.
#
# Each test of the program that is marked with RAVEL_TEST, or is one of Google Test, Catch2, doctest or Boost.Test, becomes a test
# ravel.TARGET.NAME of ctest; a program without tests becomes ravel.TARGET, which runs its main(). They are listed when the copy was linked.
#
#   STRATEGY  what `ravel check --strategy` takes
#   BUDGET    what `ravel check --budget` takes, once or twice; a search that it ends without a bug passes. Without it a
#             search has to be complete
#   OPTIONS   more options of `ravel check`
#   ARGS      of the program
#
# What a failing test prints has the bug's story and the command that replays it; the tickets are in ravel-tickets below the binary folder.

cmake_policy(PUSH)
cmake_policy(VERSION 3.20)

set(_ravel_package "${CMAKE_CURRENT_LIST_DIR}")

function(ravel_add_test target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "STRATEGY" "BUDGET;OPTIONS;ARGS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ravel_add_test(${target}): what is ${arg_UNPARSED_ARGUMENTS}? It takes STRATEGY, BUDGET, OPTIONS and ARGS.")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "ravel_add_test(${target}): there is no such target. Call it behind add_executable().")
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "EXECUTABLE")
    message(FATAL_ERROR "ravel_add_test(${target}): this is no executable.")
  endif()
  if(TARGET ravel_${target})
    message(FATAL_ERROR "ravel_add_test(${target}): this was said before. Further options go into the same call.")
  endif()
  _ravel_copy(${target} copy)

  set(options --color never --out "${CMAKE_CURRENT_BINARY_DIR}/ravel-tickets")
  if(arg_STRATEGY)
    list(APPEND options --strategy ${arg_STRATEGY})
  endif()
  foreach(budget IN LISTS arg_BUDGET)
    list(APPEND options --budget ${budget})
  endforeach()
  list(APPEND options ${arg_OPTIONS})
  set(tests "${CMAKE_CURRENT_BINARY_DIR}/${copy}_tests.cmake")
  add_custom_command(TARGET ${copy} POST_BUILD
    COMMAND ${CMAKE_COMMAND} "-DRAVEL=${RAVEL_EXECUTABLE}" "-DPROGRAM=$<TARGET_FILE:${copy}>" "-DNAME=ravel.${target}" "-DOUTPUT=${tests}"
            "-DOPTIONS=${options}" "-DARGUMENTS=${arg_ARGS}" "-DBUDGET=${arg_BUDGET}"
            -P "${_ravel_package}/RavelListTests.cmake"
    VERBATIM)
  set(included "${CMAKE_CURRENT_BINARY_DIR}/${copy}_include.cmake")
  file(WRITE "${included}" "if(EXISTS \"${tests}\")\n  include(\"${tests}\")\nelse()\n  add_test(ravel.${target} ${copy}_is_not_built)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${included}")
endfunction()

# Defines the copy of a target, if it is not there yet, and gives its name.
function(_ravel_copy target result)
  get_target_property(alias ${target} ALIASED_TARGET)
  if(alias)
    set(target ${alias})
  endif()
  set(copy ravel_${target})
  set(${result} ${copy} PARENT_SCOPE)
  if(TARGET ${copy})
    return()
  endif()
  get_target_property(type ${target} TYPE)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(listed ${target} SOURCES)
  set(sources "")
  foreach(source IN LISTS listed)
    if(source MATCHES "^\\$<TARGET_OBJECTS:([^$<>]+)>$")
      _ravel_copy(${CMAKE_MATCH_1} objects)
      list(APPEND sources "$<TARGET_OBJECTS:${objects}>")
    elseif(source MATCHES "^\\$<" OR IS_ABSOLUTE "${source}" OR NOT EXISTS "${folder}/${source}")
      list(APPEND sources "${source}")
    else()
      list(APPEND sources "${folder}/${source}")
    endif()
  endforeach()
  if(type STREQUAL "EXECUTABLE")
    add_executable(${copy} ${sources})
  else()
    string(REPLACE "_LIBRARY" "" kind ${type})
    add_library(${copy} ${kind} EXCLUDE_FROM_ALL ${sources})
  endif()
  foreach(property CXX_STANDARD CXX_STANDARD_REQUIRED CXX_EXTENSIONS C_STANDARD C_STANDARD_REQUIRED C_EXTENSIONS
                   POSITION_INDEPENDENT_CODE ENABLE_EXPORTS)
    get_target_property(value ${target} ${property})
    if(NOT value MATCHES "-NOTFOUND$")
      set_target_properties(${copy} PROPERTIES ${property} "${value}")
    endif()
  endforeach()
  target_include_directories(${copy} PRIVATE "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  target_compile_definitions(${copy} PRIVATE "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  target_compile_features(${copy} PRIVATE "$<TARGET_PROPERTY:${target},COMPILE_FEATURES>")
  target_compile_options(${copy} PRIVATE "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>")
  _ravel_linked(${target} LINK_LIBRARIES libraries)
  target_link_libraries(${copy} PRIVATE ${libraries})
  if(NOT type STREQUAL "EXECUTABLE")
    _ravel_linked(${target} INTERFACE_LINK_LIBRARIES libraries)
    target_link_libraries(${copy} INTERFACE ${libraries})
  endif()
  target_link_options(${copy} PRIVATE "$<TARGET_PROPERTY:${target},LINK_OPTIONS>")
  target_link_directories(${copy} PRIVATE "$<TARGET_PROPERTY:${target},LINK_DIRECTORIES>")
  _ravel_instrument(${copy} ${type})
endfunction()

# What a target links, with copies in the place of this project's own libraries.
function(_ravel_linked target property result)
  get_target_property(listed ${target} ${property})
  set(libraries "")
  if(listed)
    foreach(library IN LISTS listed)
      set(before "")
      set(behind "")
      if(library MATCHES "^\\$<LINK_ONLY:(.+)>$")
        set(library ${CMAKE_MATCH_1})
        set(before "$<LINK_ONLY:")
        set(behind ">")
      endif()
      if(TARGET "${library}")
        get_target_property(type ${library} TYPE)
        get_target_property(is_imported ${library} IMPORTED)
        if(NOT is_imported AND type MATCHES "^(STATIC|SHARED|OBJECT)_LIBRARY$")
          _ravel_copy(${library} library)
        endif()
      endif()
      list(APPEND libraries "${before}${library}${behind}")
    endforeach()
  endif()
  set(${result} "${libraries}" PARENT_SCOPE)
endfunction()

# The options for the compiler's plugin, if it is for the compiler of the language.
function(_ravel_plugin_options language result)
  set(${result} "" PARENT_SCOPE)
  if(NOT CMAKE_${language}_COMPILER_ID STREQUAL "GNU" OR (DEFINED RAVEL_INLINE_CHECKS AND NOT RAVEL_INLINE_CHECKS))
    return()
  endif()
  execute_process(COMMAND ${CMAKE_${language}_COMPILER} --version OUTPUT_VARIABLE version)
  string(REGEX REPLACE "^[^ ]* ([^\n]*)\n.*" "\\1" version "${version}")
  if(version STREQUAL _ravel_plugin_compiler)
    set(${result} "SHELL:\"-fplugin=${RAVEL_LIBRARY_DIR}/ravel_inline_checks.so\" -fcaller-saves -mno-red-zone" PARENT_SCOPE)
  endif()
endfunction()

# What ravel-c++ and ravel-cc say to the compiler.
function(_ravel_instrument copy type)
  target_include_directories(${copy} PRIVATE "${RAVEL_INCLUDE_DIR}")
  set(is_clang "$<OR:$<COMPILE_LANG_AND_ID:CXX,Clang>,$<COMPILE_LANG_AND_ID:C,Clang>>")
  target_compile_options(${copy} PRIVATE -g -O1 -UNDEBUG -fsanitize=thread
    "$<IF:${is_clang},,SHELL:-Wno-tsan --param=tsan-distinguish-volatile=1>"
    "$<${is_clang}:SHELL:-gdwarf-aranges -mllvm -tsan-instrument-read-before-write=1 -mllvm -tsan-distinguish-volatile=1>")
  foreach(language C CXX)
    _ravel_plugin_options(${language} options)
    target_compile_options(${copy} PRIVATE "$<$<COMPILE_LANGUAGE:${language}>:${options}>")
  endforeach()
  if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    return()
  endif()
  set(is_clang "$<OR:$<LINK_LANG_AND_ID:CXX,Clang>,$<LINK_LANG_AND_ID:C,Clang>>")
  target_link_options(${copy} PRIVATE -fsanitize=thread -Wl,-z,now "-L${RAVEL_LIBRARY_DIR}" "-Wl,-rpath,${RAVEL_LIBRARY_DIR}"
    "$<IF:${is_clang},-fno-sanitize-link-runtime,-L${RAVEL_LIBRARY_DIR}/tsan>")
  target_link_libraries(${copy} PRIVATE "$<${is_clang}:-Wl,--push-state,--no-as-needed,-lravel_threads,--pop-state>")
endfunction()

cmake_policy(POP)
