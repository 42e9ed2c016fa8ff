# cmocka, for the tests; gives Cmocka::Cmocka.
include(FindPackageHandleStandardArgs)

find_path(CMOCKA_INCLUDE_DIR cmocka.h)
find_library(CMOCKA_LIBRARY cmocka)
mark_as_advanced(CMOCKA_INCLUDE_DIR CMOCKA_LIBRARY)

find_package_handle_standard_args(
  Cmocka
  REQUIRED_VARS CMOCKA_LIBRARY CMOCKA_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install cmocka (Debian: libcmocka-dev), or configure with CRANK_TESTS=OFF")

if(Cmocka_FOUND AND NOT TARGET Cmocka::Cmocka)
  add_library(Cmocka::Cmocka INTERFACE IMPORTED)
  set_target_properties(Cmocka::Cmocka PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${CMOCKA_INCLUDE_DIR}"
                                                  INTERFACE_LINK_LIBRARIES "${CMOCKA_LIBRARY}")
endif()
