# Installed: the library, include/crank/, the command, man pages, find_package(crank), pkg-config crank.
include(CMakePackageConfigHelpers)

install(TARGETS crank EXPORT crankTargets)
if(TARGET crank_shared)
  install(TARGETS crank_shared EXPORT crankTargets) # crank::shared
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/crank" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
if(TARGET crank_command)
  install(TARGETS crank_command)
endif()
file(GLOB man_pages "${PROJECT_SOURCE_DIR}/docs/man/*.1")
if(man_pages)
  install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# what users read, and the models that it names, as they lie in the source tree: links stay right
set(reading "${CMAKE_INSTALL_DATADIR}/crank")
install(FILES README.md CHANGELOG.md DESTINATION ${reading})
install(
  DIRECTORY docs models
  DESTINATION ${reading}
  FILES_MATCHING
  PATTERN "*.md"
  PATTERN "*.yaml"
  PATTERN "*.mo"
  PATTERN "*.bmo"
  PATTERN "*.urdf"
  PATTERN "*.xml"
  PATTERN "package.order"
  PATTERN "*.csv"
  PATTERN "*.svg"
  PATTERN "*.png"
  PATTERN "*.webp"
  PATTERN "*.obj"
  PATTERN "*.stl"
  PATTERN "*.json"
  PATTERN "site" EXCLUDE
  PATTERN "develop" EXCLUDE
  PATTERN "man" EXCLUDE)

# the CMake package; the modules that find the libraries below a static libcrank go with it
set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/crank)
configure_package_config_file(cmake/crankConfig.cmake.in crankConfig.cmake
                              INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(crankConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES "${PROJECT_BINARY_DIR}/crankConfig.cmake"
        "${PROJECT_BINARY_DIR}/crankConfigVersion.cmake"
        cmake/FindKLU.cmake
        cmake/FindLibHDF5.cmake
        cmake/FindYAML.cmake
  DESTINATION ${package_directory})
install(
  EXPORT crankTargets
  NAMESPACE crank::
  DESTINATION ${package_directory})

# pkg-config; what a static library needs is named to everybody, that of a shared one only with --static
set(crank_needs "-lklu -lbtf -lcolamd -lamd -lsuitesparseconfig -lyaml -l${LIBHDF5_HL_NAME} -l${LIBHDF5_NAME} -lz -lexpat -lpthread -lm -ldl")
set(crank_pc_library -lcrank)
if(TARGET crank_shared AND NOT CRANK_LINK_SHARED) # both are installed: programs need nothing at run time unless they ask for -lcrank
  set(crank_pc_library -l:libcrank.a)
endif()
if(BUILD_SHARED_LIBS OR CRANK_LINK_SHARED)
  set(crank_pc_libs "")
  set(crank_pc_libs_private "${crank_needs}")
else()
  set(crank_pc_libs " ${crank_needs}")
  set(crank_pc_libs_private "")
endif()
# relative, so that the installed tree can be moved
file(RELATIVE_PATH crank_pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/crank.pc.in crank.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/crank.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# completion for shells, where these look for it
install(FILES tools/completion/crank.bash RENAME crank DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES tools/completion/_crank DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES tools/completion/crank.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
