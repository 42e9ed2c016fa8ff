# Language, warnings, optimisation and instrumentation for everything below the top directory.

option(CRANK_WERROR "warnings are errors" OFF)
option(CRANK_COVERAGE "count executed lines (gcc, gcovr)" OFF)
set(CRANK_SANITIZE "" CACHE STRING "sanitizers, for example address,undefined")

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
if(BUILD_SHARED_LIBS)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  if(CMAKE_C_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG")
    set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
  endif()
endif()

add_compile_definitions(_POSIX_C_SOURCE=200809L)

# results must not depend on whether the processor fuses multiplication and addition
add_compile_options(-ffp-contract=off)

add_compile_options(
  -Wall
  -Wextra
  -Wpedantic
  -Wshadow
  -Wconversion
  -Wsign-conversion
  -Wdouble-promotion
  -Wstrict-prototypes
  -Wmissing-prototypes
  -Wvla
  -Wundef
  -Wcast-qual
  -Wwrite-strings
  -Wswitch-enum)
if(CRANK_WERROR)
  add_compile_options(-Werror)
endif()

if(CRANK_SANITIZE)
  add_compile_options(-fsanitize=${CRANK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CRANK_SANITIZE})
endif()
if(CRANK_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()
if(CRANK_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "CRANK_FUZZ needs clang (the preset fuzz sets it)")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()
