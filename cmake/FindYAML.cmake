# libyaml; gives YAML::YAML.
include(FindPackageHandleStandardArgs)

find_path(YAML_INCLUDE_DIR yaml.h)
find_library(YAML_LIBRARY yaml)
mark_as_advanced(YAML_INCLUDE_DIR YAML_LIBRARY)

find_package_handle_standard_args(
  YAML
  REQUIRED_VARS YAML_LIBRARY YAML_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libyaml (Debian: libyaml-dev)")

if(YAML_FOUND AND NOT TARGET YAML::YAML)
  add_library(YAML::YAML INTERFACE IMPORTED)
  set_target_properties(YAML::YAML PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${YAML_INCLUDE_DIR}"
                                              INTERFACE_LINK_LIBRARIES "${YAML_LIBRARY}")
endif()
