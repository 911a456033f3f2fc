# ravel-cluster: its own program, because the library of Work Queue is under the GPL. It shares nothing with ravel, which
# it starts as a command. Built only where that library is (Debian: coop-computing-tools-dev).

# For tests/layering: it may use no component.
set_property(GLOBAL APPEND PROPERTY ravel_component_rows "cluster cluster")

find_path(WORK_QUEUE_INCLUDE work_queue.h PATH_SUFFIXES cctools)
set(work_queue_libraries "")
foreach(name work_queue batch_job chirp dttools)
  find_library(WORK_QUEUE_${name} ${name})
  list(APPEND work_queue_libraries ${WORK_QUEUE_${name}})
endforeach()
mark_as_advanced(WORK_QUEUE_INCLUDE WORK_QUEUE_work_queue WORK_QUEUE_batch_job WORK_QUEUE_chirp WORK_QUEUE_dttools)

# Newer ones need OpenSSL, too. What cannot be linked is left out, and does not stop the rest.
find_package(Threads REQUIRED)
list(APPEND work_queue_libraries OpenSSL::SSL OpenSSL::Crypto ZLIB::ZLIB m Threads::Threads)
set(has_work_queue OFF)
if(WORK_QUEUE_INCLUDE AND WORK_QUEUE_work_queue AND WORK_QUEUE_batch_job AND WORK_QUEUE_chirp AND WORK_QUEUE_dttools)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES ${WORK_QUEUE_INCLUDE})
  set(CMAKE_REQUIRED_LIBRARIES ${work_queue_libraries})
  check_cxx_source_compiles("extern \"C\" {\n#include <work_queue.h>\n}\nint main() { return work_queue_create(0) == nullptr; }" WORK_QUEUE_LINKS)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
  set(has_work_queue ${WORK_QUEUE_LINKS})
endif()

if(has_work_queue)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cluster/*.cc)
  add_executable(ravel_cluster ${sources})
  target_include_directories(ravel_cluster PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(ravel_cluster SYSTEM PRIVATE ${WORK_QUEUE_INCLUDE})
  target_link_libraries(ravel_cluster PRIVATE CLI11::CLI11 ${work_queue_libraries})
  set_target_properties(ravel_cluster PROPERTIES OUTPUT_NAME ravel-cluster RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  install(TARGETS ravel_cluster RUNTIME DESTINATION bin COMPONENT cluster)
endif()
