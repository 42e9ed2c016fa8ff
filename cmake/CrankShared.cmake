# The shared library, of the same objects as the static one: libcrank.so with versioned symbols (crank.map).
configure_file(cmake/crank.map "${PROJECT_BINARY_DIR}/crank.map" @ONLY)
if(BUILD_SHARED_LIBS)
  set(shared crank)
elseif(NOT CRANK_SANITIZE AND NOT CRANK_COVERAGE AND NOT CRANK_FUZZ)
  set(shared crank_shared)
  add_library(crank_shared SHARED $<TARGET_OBJECTS:crank>)
  target_include_directories(crank_shared
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(crank_shared PRIVATE ${crank_libraries})
  set_target_properties(crank_shared PROPERTIES OUTPUT_NAME crank VERSION ${PROJECT_VERSION}
                                                SOVERSION ${PROJECT_VERSION_MAJOR} EXPORT_NAME shared)
endif()
if(shared AND NOT APPLE)
  target_link_options(${shared} PRIVATE "-Wl,--version-script=${PROJECT_BINARY_DIR}/crank.map" -Wl,--no-undefined)
  set_target_properties(${shared} PROPERTIES LINK_DEPENDS "${PROJECT_BINARY_DIR}/crank.map")
endif()
