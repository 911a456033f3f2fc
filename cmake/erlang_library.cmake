# Compiles src/erlang/lib/*.erl and writes erlang_library.inc, which erlang_library.cc includes.
#
# Called as a script by the build: cmake -DERLC=... -DSOURCES=a.erl;b.erl -DFOLDER=... -P erlang_library.cmake

file(MAKE_DIRECTORY ${FOLDER})
set(text "")
set(table "")
foreach(source ${SOURCES})
  cmake_path(GET source STEM name)
  execute_process(COMMAND ${ERLC} +deterministic +nowarn_deprecated_catch -Werror -o ${FOLDER} ${source} RESULT_VARIABLE status)
  if(status)
    message(FATAL_ERROR "${source} does not compile")
  endif()
  file(READ ${FOLDER}/${name}.beam bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND text "constexpr std::uint8_t k_${name}[] = {${bytes}};\n")
  string(APPEND table "    {\"${name}\", k_${name}},\n")
endforeach()
file(WRITE ${FOLDER}/erlang_library.inc "${text}constexpr LibraryModule kLibraryModules[] = {\n${table}};\n")
