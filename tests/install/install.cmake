# The install test, run by ctest: installs BUILD below WORK, moves the tree (an installed package must not
# know where it was made), and builds consumer.c with find_package(crank) and with pkg-config.
file(REMOVE_RECURSE "${WORK}")

# run(WHAT COMMAND...): stops the test with the output if the command fails
function(run what)
  execute_process(
    COMMAND ${ARGN}
    RESULT_VARIABLE result
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${what} failed:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(check_version what)
  if(NOT output MATCHES "crank ${VERSION}")
    message(FATAL_ERROR "the program built with ${what} says:\n${output}")
  endif()
endfunction()

run("installation" ${CMAKE_COMMAND} --install "${BUILD}" --prefix "${WORK}/first")
file(RENAME "${WORK}/first" "${WORK}/prefix")
set(prefix "${WORK}/prefix")

# every public header must stand alone, in C and in C++
file(GLOB headers RELATIVE "${prefix}/include" "${prefix}/include/crank/*.h")
if(NOT headers)
  message(FATAL_ERROR "no headers are installed")
endif()
find_program(CXX_COMPILER NAMES c++ g++ clang++)
if(NOT CXX_COMPILER)
  message(STATUS "there is no C++ compiler: headers not tried in C++")
endif()
set(strict -Wall -Wextra -Wpedantic -Werror -I${prefix}/include)
foreach(header IN LISTS headers)
  file(WRITE "${WORK}/header.c" "#include <${header}>\nint crank_test_header;\n")
  run("<${header}> alone" ${C_COMPILER} -std=c17 ${strict} -fsyntax-only "${WORK}/header.c")
  if(CXX_COMPILER)
    run("<${header}> in C++" ${CXX_COMPILER} -x c++ -std=c++17 ${strict} -fsyntax-only "${WORK}/header.c")
  endif()
endforeach()

# find_package
run("configuring with find_package" ${CMAKE_COMMAND} -S "${SOURCE}" -B "${WORK}/consumer" -D
    CMAKE_PREFIX_PATH=${prefix} -D CMAKE_C_COMPILER=${C_COMPILER} -D VERSION=${VERSION})
run("building with find_package" ${CMAKE_COMMAND} --build "${WORK}/consumer")
run("the program built with find_package" "${WORK}/consumer/consumer")
check_version("find_package")

# pkg-config
find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG)
  set(ENV{PKG_CONFIG_PATH} "${prefix}/${LIBDIR}/pkgconfig")
  run("pkg-config" ${PKG_CONFIG} --cflags --libs crank)
  separate_arguments(flags UNIX_COMMAND "${output}")
  run("building with pkg-config" ${C_COMPILER} -std=c17 "${SOURCE}/consumer.c" -o "${WORK}/with-pkg-config" ${flags}
)
  run("the program built with pkg-config" "${WORK}/with-pkg-config")
  check_version("pkg-config")
  if(CXX_COMPILER)
    file(WRITE "${WORK}/program.cpp" "#include <crank/crank.h>\n#include <cstdio>\n"
                                     "int main() { std::printf(\"crank %s\", crank_version()); }\n")
    run("building in C++" ${CXX_COMPILER} "${WORK}/program.cpp" -o "${WORK}/in-c++" ${flags})
    run("the program in C++" "${WORK}/in-c++")
    check_version("a C++ compiler")
  endif()
else()
  message(STATUS "pkg-config is not installed: not tried")
endif()

# the shared library: only what the headers offer, versioned; a program finds it at run time
find_program(NM nm)
file(GLOB library "${prefix}/${LIBDIR}/libcrank.so")
if(library AND NM)
  run("symbols of the shared library" ${NM} -D --defined-only --with-symbol-versions "${library}")
  string(REGEX REPLACE "\n$" "" output "${output}")
  string(REPLACE "\n" ";" symbols "${output}")
  foreach(symbol IN LISTS symbols)
    if(NOT symbol MATCHES " T crank_[a-z_0-9]+@@CRANK_[0-9]+$" AND NOT symbol MATCHES " A CRANK_[0-9]+")
      message(FATAL_ERROR "the shared library offers: ${symbol}")
    endif()
  endforeach()
  run("building with the shared library" ${CMAKE_COMMAND} -S "${SOURCE}" -B "${WORK}/shared" -D
      CMAKE_PREFIX_PATH=${prefix} -D CMAKE_C_COMPILER=${C_COMPILER} -D VERSION=${VERSION} -D LIBRARY=crank::shared)
  run("building with the shared library" ${CMAKE_COMMAND} --build "${WORK}/shared")
  run("the program built with the shared library" "${WORK}/shared/consumer")
  check_version("the shared library")
endif()

# the command
if(EXISTS "${BUILD}/crank")
  run("the installed command" "${prefix}/bin/crank" --version)
  check_version("the command's --version")
  # documents, and a command of the manual in the directory of its models
  foreach(name docs/manual.md docs/formats.md docs/tutorial/shaper.yaml docs/images/sketch-shaper.svg
          models/parallelogram-arm/dialects/loop.urdf models/parallelogram-arm/dialects/arm.xml)
    if(NOT EXISTS "${prefix}/${DATADIR}/crank/${name}")
      message(FATAL_ERROR "${name} is not installed")
    endif()
  endforeach()
  run("an installed model" ${CMAKE_COMMAND} -E chdir "${prefix}/${DATADIR}/crank" "${prefix}/bin/crank" check
      models/slider-crank/redundant.yaml)
  # the page's template goes with it; an environment's would hide that it is not found
  unset(ENV{CRANK_PAGE})
  file(WRITE "${WORK}/result.csv" "time,x\n0,1\n1,2\n")
  if(PAGE)
    if(NOT EXISTS "${prefix}/${DATADIR}/crank/page.html")
      message(FATAL_ERROR "the page is not installed: ${prefix}/${DATADIR}/crank/page.html is missing; was it built (make page)?")
    endif()
    run("the page of the installed command" "${prefix}/bin/crank" view "${WORK}/result.csv" -o "${WORK}/page.html")
    file(READ "${WORK}/page.html" page)
    if(NOT page MATCHES "id=\"crank-index\"")
      message(FATAL_ERROR "the installed command wrote a page without data")
    endif()
    # without it, and with another one
    file(RENAME "${prefix}/${DATADIR}/crank/page.html" "${WORK}/template.html")
    set(ENV{CRANK_PAGE} "${WORK}/template.html")
    run("the page with CRANK_PAGE" "${prefix}/bin/crank" view "${WORK}/result.csv" -o "${WORK}/page.html")
    unset(ENV{CRANK_PAGE})
  endif()
  if(NOT EXISTS "${INSTALLED_PAGE}") # where crank would be installed, which may be a user's own
    execute_process(
      COMMAND "${prefix}/bin/crank" view "${WORK}/result.csv" -o "${WORK}/none.html"
      RESULT_VARIABLE result
      ERROR_VARIABLE output)
    if(NOT result EQUAL 1 OR NOT output MATCHES "template is missing.*make page" OR EXISTS "${WORK}/none.html")
      message(FATAL_ERROR "without a template the command says (${result}):\n${output}")
    endif()
  endif()
endif()
file(REMOVE_RECURSE "${WORK}")
