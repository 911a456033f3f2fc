# ravel-cluster: its own program, because the libraries of Work Queue and TaskVine are under the GPL. It shares nothing with
# ravel, which it starts as a command. Built only where one of them is (Debian: coop-computing-tools-dev; 13 has both).

# For tests/layering: it may use no component.
set_property(GLOBAL APPEND PROPERTY ravel_component_rows "cluster cluster")

find_package(Threads REQUIRED)
include(CheckCXXSourceCompiles)

# Sets HAS_<name>, CLUSTER_<name>_INCLUDE and <name>_libraries. What cannot be linked is left out, and does not stop the rest.
function(find_cluster_engine name header call)
  find_path(CLUSTER_${name}_INCLUDE ${header} PATH_SUFFIXES cctools)
  mark_as_advanced(CLUSTER_${name}_INCLUDE)
  set(libraries "")
  set(are_there ${CLUSTER_${name}_INCLUDE})
  foreach(library ${ARGN})
    find_library(CLUSTER_${library} ${library})
    mark_as_advanced(CLUSTER_${library})
    list(APPEND libraries ${CLUSTER_${library}})
    if(NOT CLUSTER_${library})
      set(are_there OFF)
    endif()
  endforeach()
  # Newer ones need OpenSSL, too.
  list(APPEND libraries OpenSSL::SSL OpenSSL::Crypto ZLIB::ZLIB m Threads::Threads)
  if(are_there)
    set(CMAKE_REQUIRED_INCLUDES ${CLUSTER_${name}_INCLUDE})
    set(CMAKE_REQUIRED_LIBRARIES ${libraries})
    # TaskVine's names a parameter by a word of C++.
    check_cxx_source_compiles("extern \"C\" {\n#define template template_\n#include <${header}>\n}\nint main() { return ${call}(0) == nullptr; }" ${name}_LINKS)
  endif()
  set(${name}_libraries ${libraries} PARENT_SCOPE)
  set(HAS_${name} ${${name}_LINKS} PARENT_SCOPE)
endfunction()

find_cluster_engine(WORK_QUEUE work_queue.h work_queue_create work_queue batch_job chirp dttools)
find_cluster_engine(TASKVINE taskvine.h vine_create taskvine dttools)

if(HAS_WORK_QUEUE OR HAS_TASKVINE)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cluster/*.cc)
  list(FILTER sources EXCLUDE REGEX "_engine\\.cc$")
  add_executable(ravel_cluster ${sources})
  foreach(name WORK_QUEUE TASKVINE)
    if(HAS_${name})
      string(TOLOWER ${name} lower)
      target_sources(ravel_cluster PRIVATE ${PROJECT_SOURCE_DIR}/src/cluster/${lower}_engine.cc)
      target_compile_definitions(ravel_cluster PRIVATE RAVEL_${name})
      target_include_directories(ravel_cluster SYSTEM PRIVATE ${CLUSTER_${name}_INCLUDE})
      target_link_libraries(ravel_cluster PRIVATE ${${name}_libraries})
    endif()
  endforeach()
  target_include_directories(ravel_cluster PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(ravel_cluster PRIVATE CLI11::CLI11)
  set_target_properties(ravel_cluster PROPERTIES OUTPUT_NAME ravel-cluster RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  install(TARGETS ravel_cluster RUNTIME DESTINATION bin COMPONENT cluster)
endif()
