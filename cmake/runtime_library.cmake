# ravel_runtime_library(NAME EXPORTS component...)
# The shared library libravel_NAME.so, which programs under test are linked with: the components INSIDE it, and the sources
# of those that it uses, compiled again, because nothing of them may be seen by the program and nothing of the program
# may be used by them. Only what the version script EXPORTS names is visible.
function(ravel_runtime_library name exports)
  get_property(sources GLOBAL PROPERTY ravel_inside_${name})
  foreach(component ${ARGN} threads_protocol)
    get_target_property(more ravel_${component} SOURCES)
    list(APPEND sources ${more})
  endforeach()
  # Tickets, traces and the user's libraries are files of the command; a failed check is told in another way.
  list(FILTER sources EXCLUDE REGEX "/(engine/ticket|engine/trace|explorers/explorer_library|base/check|base/shared_library)[.]cc$")
  add_library(ravel_${name} SHARED ${sources})
  target_include_directories(ravel_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(ravel_${name} PRIVATE FMT_HEADER_ONLY _GNU_SOURCE)
  # Guards of its own static variables would be operations of the program's threads.
  target_compile_options(ravel_${name} PRIVATE -fvisibility=hidden -fno-sanitize=all -fno-stack-protector -fno-builtin-malloc
    -fno-threadsafe-statics)
  # For what the compiler's plugin inserts, which needs other registers than rax, rcx, rdx, rsi, rdi and r8.
  set(questions ${PROJECT_SOURCE_DIR}/src/threads/runtime/may_matter.cc)
  if(TARGET ravel_inline_checks)
    set_source_files_properties(${questions} PROPERTIES COMPILE_OPTIONS
      "-O2;-mgeneral-regs-only;-fcall-saved-r9;-fcall-saved-r10;-fcall-saved-r11")
  else()
    set_source_files_properties(${questions} PROPERTIES HEADER_FILE_ONLY ON)
  endif()
  set_target_properties(ravel_${name} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
    LINK_DEPENDS ${PROJECT_SOURCE_DIR}/${exports})
  # The library's own copy of the C++ library has a std::random_device, too: the first one, ours, is taken.
  target_link_options(ravel_${name} PRIVATE -Wl,-z,muldefs
    -fno-sanitize=all -static-libstdc++ -shared-libgcc -Wl,-Bsymbolic -Wl,-z,now
    -Wl,--version-script=${PROJECT_SOURCE_DIR}/${exports})
  target_link_libraries(ravel_${name} PRIVATE ${CMAKE_DL_LIBS})
endfunction()

# ravel_compilers(NAME): ravel-c++ and ravel-cc beside ravel, which compile and link for libravel_NAME.so.
function(ravel_compilers name)
  set(RUNTIME_NAME ravel_${name})
  # g++ with -fsanitize=thread links -ltsan: here it finds ours.
  file(WRITE ${PROJECT_BINARY_DIR}/tsan/libtsan.so "INPUT(-lravel_${name})\n")
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.h ${PROJECT_SOURCE_DIR}/include/ravel/*.h)
  file(COPY ${PROJECT_SOURCE_DIR}/include DESTINATION ${PROJECT_BINARY_DIR})
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})  # they are copied when it is configured
  foreach(pair "ravel-c++ RAVEL_CXX g++" "ravel-cc RAVEL_CC gcc")
    separate_arguments(pair)
    list(GET pair 0 wrapper)
    list(GET pair 1 VARIABLE)
    list(GET pair 2 COMPILER)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/ravel-compiler.in ${PROJECT_BINARY_DIR}/${wrapper} @ONLY
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endforeach()
endfunction()
