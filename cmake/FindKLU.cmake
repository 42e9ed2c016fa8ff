# KLU and the parts of SuiteSparse it stands on; gives KLU::KLU.
#
# SuiteSparse before version 7 has neither a CMake package nor a .pc file. The header lies under
# suitesparse/ in Debian, elsewhere often directly in the include directory.
include(FindPackageHandleStandardArgs)

find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse suitesparse-5)
set(klu_variables)
foreach(part klu btf colamd amd suitesparseconfig)
  find_library(KLU_${part}_LIBRARY ${part})
  list(APPEND klu_variables KLU_${part}_LIBRARY)
endforeach()
mark_as_advanced(KLU_INCLUDE_DIR ${klu_variables})

find_package_handle_standard_args(
  KLU
  REQUIRED_VARS ${klu_variables} KLU_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install SuiteSparse (Debian: libsuitesparse-dev)")

if(KLU_FOUND AND NOT TARGET KLU::KLU)
  add_library(KLU::KLU INTERFACE IMPORTED)
  set(klu_libraries)
  foreach(variable IN LISTS klu_variables)
    list(APPEND klu_libraries "${${variable}}")
  endforeach()
  set_target_properties(KLU::KLU PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${KLU_INCLUDE_DIR}"
                                            INTERFACE_LINK_LIBRARIES "${klu_libraries}")
endif()
