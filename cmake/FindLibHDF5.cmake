# libhdf5 and libhdf5_hl (dimension scales), serial; gives LibHDF5::LibHDF5 and LIBHDF5_NAME, LIBHDF5_HL_NAME, what the linker
# calls them.
#
# Debian keeps the serial library apart from those for MPI: headers below hdf5/serial, libhdf5_serial.so.
include(FindPackageHandleStandardArgs)

find_path(LIBHDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(LIBHDF5_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
find_library(LIBHDF5_HL_LIBRARY NAMES hdf5_serial_hl hdf5_hl PATH_SUFFIXES hdf5/serial)
mark_as_advanced(LIBHDF5_INCLUDE_DIR LIBHDF5_LIBRARY LIBHDF5_HL_LIBRARY)

find_package_handle_standard_args(
  LibHDF5
  REQUIRED_VARS LIBHDF5_LIBRARY LIBHDF5_HL_LIBRARY LIBHDF5_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libhdf5 (Debian: libhdf5-dev)")

get_filename_component(LIBHDF5_NAME "${LIBHDF5_LIBRARY}" NAME_WE)
string(REGEX REPLACE "^lib" "" LIBHDF5_NAME "${LIBHDF5_NAME}")
get_filename_component(LIBHDF5_HL_NAME "${LIBHDF5_HL_LIBRARY}" NAME_WE)
string(REGEX REPLACE "^lib" "" LIBHDF5_HL_NAME "${LIBHDF5_HL_NAME}")
if(LibHDF5_FOUND AND NOT TARGET LibHDF5::LibHDF5)
  add_library(LibHDF5::LibHDF5 INTERFACE IMPORTED)
  set_target_properties(
    LibHDF5::LibHDF5 PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${LIBHDF5_INCLUDE_DIR}"
                                INTERFACE_LINK_LIBRARIES "${LIBHDF5_HL_LIBRARY};${LIBHDF5_LIBRARY}")
endif()
