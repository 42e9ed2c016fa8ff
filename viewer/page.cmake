# Builds the page, run by the build: cmake -D NODE= -D NPM= -D SOURCE= -D WORK= -D PAGE= -P page.cmake
#
# Packages are installed if those named in package-lock.json are not there yet. If npm fails (no network), this says so
# and leaves no page; the next build tries again. A bundle that fails is an error.
file(REMOVE "${PAGE}")
file(MAKE_DIRECTORY "${WORK}")
foreach(name .npmrc package.json package-lock.json tsconfig.json build.mjs)
  configure_file("${SOURCE}/${name}" "${WORK}/${name}" COPYONLY)
endforeach()

file(SHA256 "${WORK}/package.json" wanted)
file(SHA256 "${WORK}/package-lock.json" lock)
set(wanted "${wanted} ${lock}")
set(stamp "${WORK}/node_modules/.installed")
set(installed "")
if(EXISTS "${stamp}")
  file(READ "${stamp}" installed)
endif()
if(NOT installed STREQUAL wanted)
  execute_process(
    COMMAND ${NPM} ci --ignore-scripts --prefer-offline --fetch-retries=1 --fetch-retry-mintimeout=2000 --no-audit
            --no-fund --loglevel=error
    WORKING_DIRECTORY "${WORK}"
    RESULT_VARIABLE result
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(
      NOTICE
        "npm could not install the packages of the page:\n${output}\nThe page of crank view and run --html is not "
        "built; everything else is. With a connection to an npm registry, make page builds it.")
    return()
  endif()
  file(WRITE "${stamp}" "${wanted}")
endif()

file(REMOVE_RECURSE "${WORK}/src")
file(COPY "${SOURCE}/src" DESTINATION "${WORK}")
execute_process(
  COMMAND ${NODE} build.mjs "${PAGE}.part"
  WORKING_DIRECTORY "${WORK}"
  RESULT_VARIABLE result
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the page cannot be bundled:\n${output}")
endif()
file(RENAME "${PAGE}.part" "${PAGE}")
