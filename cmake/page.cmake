# ravel_page(COMPONENT): builds the page of page/ by npm, and embeds it into COMPONENT (page_template.h). The program does
# without it where Node.js or npm is missing, or the registry cannot be reached; then page_template() is empty.

option(RAVEL_PAGE "Build the page that shows a bug in a browser (by npm)" ON)

function(ravel_page component)
  find_program(NODE node)
  find_program(NPM npm)
  set(version 0)
  if(NODE AND NPM)
    execute_process(COMMAND ${NODE} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REPLACE "v" "" version "${version}")
  endif()
  # Its own folder, so that the page is made when it is wanted again.
  set(made ${PROJECT_BINARY_DIR}/page)
  set(is_left_out FALSE)
  if(NOT RAVEL_PAGE OR version VERSION_LESS 18)
    set(made ${PROJECT_BINARY_DIR}/page_left_out)
    set(is_left_out TRUE)
  endif()
  set(inc ${made}/page_template.inc)
  target_include_directories(ravel_${component} PRIVATE ${made})
  target_sources(ravel_${component} PRIVATE ${inc})
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/story/page_template.cc PROPERTIES OBJECT_DEPENDS ${inc})
  if(is_left_out)
    message(STATUS "The page that shows a bug in a browser is left out: it needs Node.js 18, npm and RAVEL_PAGE=ON")
    file(CONFIGURE OUTPUT ${inc} CONTENT "constexpr std::string_view kPage;\n")
    return()
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/page/src/*)
  list(APPEND sources ${PROJECT_SOURCE_DIR}/page/package.json ${PROJECT_SOURCE_DIR}/page/package-lock.json
       ${PROJECT_SOURCE_DIR}/page/tsconfig.json ${PROJECT_SOURCE_DIR}/page/build.mjs)
  set(script ${PROJECT_SOURCE_DIR}/cmake/make_page.cmake)
  add_custom_command(
    OUTPUT ${inc}
    COMMAND ${CMAKE_COMMAND} -DNPM=${NPM} -DFROM=${PROJECT_SOURCE_DIR}/page -DFOLDER=${made} -P ${script}
    DEPENDS ${sources} ${script}
    COMMENT "Building the page that shows a bug"
    VERBATIM)
endfunction()
