# crank_test(NAME SOURCE... [LABELS LABEL...] [TIMEOUT SECONDS] [LIBRARIES TARGET...])
#
# A cmocka executable that sees src/ and tests/ and reaches hidden symbols of the library, registered
# with ctest under NAME. It runs in the repository's root, so that models are found as
# models/<name>/<name>.yaml. Labels: the directories below tests/, and those given. Tests labelled
# `long` run with `make test-long` only.

find_package(Cmocka REQUIRED)

# what the tests link: the static library itself, or a static twin of the shared one
if(BUILD_SHARED_LIBS)
  add_library(crank_internal STATIC EXCLUDE_FROM_ALL)
  target_sources(crank_internal PRIVATE $<TARGET_PROPERTY:crank,SOURCES>)
  target_include_directories(crank_internal PUBLIC ${PROJECT_SOURCE_DIR}/include
                                            PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(crank_internal PRIVATE KLU::KLU YAML::YAML LibHDF5::LibHDF5 ZLIB::ZLIB EXPAT::EXPAT m ${CMAKE_DL_LIBS})
else()
  add_library(crank_internal ALIAS crank)
endif()

# what every test is run with
set(crank_test_environment
    "ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1;UBSAN_OPTIONS=print_stacktrace=1;LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/leaks.supp:print_suppressions=0"
)

# a locale with a decimal comma, for tests that numbers are the same in every locale; those are skipped
# where it cannot be made and the system has none
set(locale_directory "${PROJECT_BINARY_DIR}/locale")
find_program(LOCALEDEF localedef)
mark_as_advanced(LOCALEDEF)
if(LOCALEDEF AND NOT EXISTS "${locale_directory}/de_DE.UTF-8")
  file(MAKE_DIRECTORY "${locale_directory}")
  execute_process(COMMAND ${LOCALEDEF} -i de_DE -f UTF-8 "${locale_directory}/de_DE.UTF-8"
                  OUTPUT_QUIET ERROR_QUIET)
endif()
if(EXISTS "${locale_directory}/de_DE.UTF-8")
  list(APPEND crank_test_environment "LOCPATH=${locale_directory}")
endif()

# labels and limits of a test registered by other means
function(crank_test_properties name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "TIMEOUT" "LABELS")
  file(RELATIVE_PATH place "${PROJECT_SOURCE_DIR}/tests" "${CMAKE_CURRENT_SOURCE_DIR}")
  if(place MATCHES "^\\.\\.")
    file(RELATIVE_PATH place "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  string(REPLACE "/" ";" labels "${place}")
  list(APPEND labels ${test_LABELS})
  if(NOT test_TIMEOUT)
    set(test_TIMEOUT 900) # against hangs alone: loaded machines are slow
    if("long" IN_LIST test_LABELS)
      set(test_TIMEOUT 14400)
    endif()
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${test_TIMEOUT}
                                          ENVIRONMENT "${crank_test_environment}")
endfunction()

function(crank_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "TIMEOUT" "LABELS;LIBRARIES;ARGUMENTS")
  add_executable(${name} ${test_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_compile_options(${name} PRIVATE -Wno-unused-parameter) # cmocka's state
  target_link_libraries(${name} PRIVATE ${test_LIBRARIES} crank_internal KLU::KLU Cmocka::Cmocka m)
  add_test(NAME ${name} COMMAND ${name} ${test_ARGUMENTS} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  crank_test_properties(${name} LABELS ${test_LABELS} TIMEOUT ${test_TIMEOUT})
endfunction()
