# cmake --install BUILD --prefix DIR: programs in bin, their libraries in lib/dgtd, cases, scripts and the description of
# the meshes in share/dgtd, documents in share/doc/dgtd, a modulefile in share/dgtd/modulefiles. The installation may be
# moved: libraries and cases are found relative to the programs.
include(GNUInstallDirs)
set(DGTD_LIBRARY_FOLDER ${CMAKE_INSTALL_LIBDIR}/dgtd)
set(DGTD_DATA_FOLDER ${CMAKE_INSTALL_DATADIR}/dgtd)
file(RELATIVE_PATH DGTD_DATA_FROM_PROGRAMS ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/dgtd)
file(RELATIVE_PATH DGTD_LIBRARIES_FROM_PROGRAMS ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/dgtd)

# The programs of the build tree find the cases of the source tree at the place that they have in an installation.
get_filename_component(data ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${DGTD_DATA_FROM_PROGRAMS} ABSOLUTE)
file(MAKE_DIRECTORY ${data})
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/cases ${data}/cases SYMBOLIC)

# What a user reads and runs besides the programs; with further arguments of install(), such as COMPONENT.
function(dgtd_install_data)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/cases DESTINATION ${DGTD_DATA_FOLDER} ${ARGN} FILES_MATCHING PATTERN "*.cfg" PATTERN "*.npy" PATTERN "*.gds" PATTERN "*.step" PATTERN "out" EXCLUDE)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/scripts DESTINATION ${DGTD_DATA_FOLDER} USE_SOURCE_PERMISSIONS ${ARGN}
    PATTERN "__pycache__" EXCLUDE PATTERN "*.egg-info" EXCLUDE PATTERN "build" EXCLUDE
    # These build from the source tree.
    PATTERN "build.sh" EXCLUDE PATTERN "run.sh" EXCLUDE PATTERN "sanitize.sh" EXCLUDE PATTERN "setup.sh" EXCLUDE
    PATTERN "wheel.sh" EXCLUDE
    PATTERN "test.sh" EXCLUDE PATTERN "update_case_file_docs.sh" EXCLUDE)
  install(FILES ${PROJECT_SOURCE_DIR}/meshes/README.md DESTINATION ${DGTD_DATA_FOLDER}/meshes ${ARGN})
endfunction()

# dgtd_install(PROGRAMS target... LIBRARIES target...)
function(dgtd_install)
  cmake_parse_arguments(I "" "" "PROGRAMS;LIBRARIES" ${ARGN})
  set_target_properties(${I_PROGRAMS} PROPERTIES INSTALL_RPATH "$ORIGIN/${DGTD_LIBRARIES_FROM_PROGRAMS}")
  set_target_properties(${I_LIBRARIES} PROPERTIES INSTALL_RPATH "$ORIGIN")
  install(TARGETS ${I_PROGRAMS} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS ${I_LIBRARIES} LIBRARY DESTINATION ${DGTD_LIBRARY_FOLDER})
  dgtd_install_data()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/docs/CITATION.cff ${PROJECT_SOURCE_DIR}/LICENSE
    DESTINATION ${CMAKE_INSTALL_DOCDIR})
  configure_file(${PROJECT_SOURCE_DIR}/scripts/cluster/modulefile.in ${PROJECT_BINARY_DIR}/modulefile @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/modulefile DESTINATION ${DGTD_DATA_FOLDER}/modulefiles/dgtd RENAME ${PROJECT_VERSION})
endfunction()
