# cmake --install BUILD --component bundle --prefix DIR: the programs and all shared libraries that they
# need except libc, the MPI library and the CUDA driver, with run paths relative to the programs, so that
# DIR runs on a node that has only those. With the cases and scripts of an installation.
function(dgtd_bundle)
  set(programs)
  foreach(target ${ARGN})
    install(PROGRAMS $<TARGET_FILE:${target}> DESTINATION bin COMPONENT bundle EXCLUDE_FROM_ALL)
    list(APPEND programs "$<TARGET_FILE:${target}>")
  endforeach()
  dgtd_install_data(COMPONENT bundle EXCLUDE_FROM_ALL)
  install(CODE "
    file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${programs} LIBRARIES $<TARGET_FILE:dgtd_gmsh>
      RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing
      PRE_EXCLUDE_REGEXES \"^lib(c|m|dl|rt|pthread|resolv|util)[.]so\" \"^ld-linux\" \"^libmpi\" \"^libopen-\" \"^libcuda[.]so\"
      POST_EXCLUDE_REGEXES \"lib(hwloc|event|numa|pmix)\")
    if(missing)
      message(FATAL_ERROR \"bundle: not found: \${missing}\")
    endif()
    foreach(library IN LISTS libraries ITEMS $<TARGET_FILE:dgtd_gmsh>)
      file(INSTALL \${library} DESTINATION \"\${CMAKE_INSTALL_PREFIX}/lib\" FOLLOW_SYMLINK_CHAIN)
    endforeach()
    # A newer MPI library needs a newer C++ library than this one: it stands aside, for nodes that lack any.
    file(GLOB compiler \"\${CMAKE_INSTALL_PREFIX}/lib/libstdc++*\" \"\${CMAKE_INSTALL_PREFIX}/lib/libgcc_s*\")
    file(MAKE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}/lib/compiler\")
    foreach(library IN LISTS compiler)
      get_filename_component(name \${library} NAME)
      file(RENAME \${library} \"\${CMAKE_INSTALL_PREFIX}/lib/compiler/\${name}\")
    endforeach()
    file(GLOB files \"\${CMAKE_INSTALL_PREFIX}/bin/*\" \"\${CMAKE_INSTALL_PREFIX}/lib/*\")
    foreach(file IN LISTS files)
      if(NOT IS_SYMLINK \${file} AND NOT IS_DIRECTORY \${file})
        execute_process(COMMAND strip --strip-unneeded \${file})
        if(file MATCHES \"/bin/\")
          execute_process(COMMAND ${PATCHELF_PROGRAM} --force-rpath --set-rpath \"\\$ORIGIN/../lib\" \${file} COMMAND_ERROR_IS_FATAL ANY)
        else()
          execute_process(COMMAND ${PATCHELF_PROGRAM} --force-rpath --set-rpath \"\\$ORIGIN\" \${file} COMMAND_ERROR_IS_FATAL ANY)
        endif()
      endif()
    endforeach()
  " COMPONENT bundle EXCLUDE_FROM_ALL)
endfunction()
