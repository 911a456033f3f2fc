# Builds the page in a copy of its folder, so that node_modules is not among the sources.
#
# Called as a script by the build: cmake -DNPM=... -DFROM=page -DFOLDER=... -P make_page.cmake
# Writes FOLDER/dist/page.html and FOLDER/page_template.inc. Without the packages, page_template.inc says that there is no
# page, and the build goes on; an error in the page itself ends the build.

file(MAKE_DIRECTORY ${FOLDER})
file(REMOVE_RECURSE ${FOLDER}/src)
foreach(name src package.json tsconfig.json build.mjs)
  file(COPY ${FROM}/${name} DESTINATION ${FOLDER})
endforeach()

# Packages are installed again when other ones are wanted.
set(installed ${FOLDER}/node_modules/installed-lock.json)
file(SHA256 ${FROM}/package-lock.json wanted)
set(present "")
if(EXISTS ${installed})
  file(SHA256 ${installed} present)
endif()
if(NOT present STREQUAL wanted)
  file(COPY ${FROM}/package-lock.json DESTINATION ${FOLDER})
  # No package runs a script of its own here.
  execute_process(
    COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1 --fetch-timeout=30000
    WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE problem)
  if(status)
    string(STRIP "${problem}" problem)
    message(WARNING "npm cannot install the packages of the page that shows a bug, so that ravel is built without it. "
            "To try again, delete ${FOLDER}/page_template.inc and build. npm says:\n${problem}")
    file(WRITE ${FOLDER}/page_template.inc "constexpr std::string_view kPage;\n")
    return()
  endif()
  file(COPY_FILE ${FOLDER}/package-lock.json ${installed})
endif()

execute_process(COMMAND ${NPM} run --silent build -- dist/page.html page_template.inc
                WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE status)
if(status)
  message(FATAL_ERROR "The page does not build: see above. RAVEL_PAGE=OFF leaves it out.")
endif()
