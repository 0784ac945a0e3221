# dgtd_module(NAME SOURCES file… [CUDA file…] [PUBLIC target…] [PRIVATE target…] [LIGHT] [UNITY])
# One shared library per module, dgtd_NAME, which links only modules above it in cmake/modules.txt: programs that share
# them make a small bundle. dgtd_gmsh is a part of module mesh. CUDA files are in cuda/NAME, or have a full path, and are left out without nvcc.
# UNITY: with DGTD_UNITY its sources are compiled six at a time, so that names in their anonymous namespaces must differ.
# LIGHT: a module without the loops of a time step, which DGTD_UNITY compiles with -O1, in two thirds of the time.
function(dgtd_module name)
  cmake_parse_arguments(M "LIGHT;UNITY" "" "SOURCES;CUDA;PUBLIC;PRIVATE" ${ARGN})
  set(module ${name})
  set(parts)  # of the same module that this one may link
  if(name STREQUAL gmsh)
    set(module mesh)
    set(parts mesh)
  endif()
  list(FIND modules ${module} own)
  if(own EQUAL -1)
    message(FATAL_ERROR "module ${module} is not in cmake/modules.txt")
  endif()
  list(SUBLIST modules 0 ${own} above)
  foreach(library ${M_PUBLIC} ${M_PRIVATE})
    string(REGEX REPLACE "^dgtd_" "" linked ${library})
    if(library MATCHES "^dgtd_" AND NOT linked IN_LIST above AND NOT linked IN_LIST parts)
      message(FATAL_ERROR "dgtd_${name} links ${library}; above ${module} in cmake/modules.txt are: ${above}")
    endif()
  endforeach()
  if(DGTD_CUDA)
    list(TRANSFORM M_CUDA PREPEND ${PROJECT_SOURCE_DIR}/cuda/${name}/ REGEX "^[^/]")
  else()
    set(M_CUDA)
  endif()
  add_library(dgtd_${name} SHARED ${M_SOURCES} ${M_CUDA})
  set_target_properties(dgtd_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON DEFINE_SYMBOL "")
  if(DGTD_FUZZER)
    dgtd_fuzzer_options(dgtd_${name} ${name})
  endif()
  target_include_directories(dgtd_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)  # private headers, MODULE/FOLDER/NAME.hpp
  if(DGTD_PRECOMPILE)
    target_link_libraries(dgtd_${name} PRIVATE OpenMP::OpenMP_CXX)  # a precompiled header is for one set of options
    dgtd_use_precompiled(dgtd_${name} dgtd_precompiled)
  endif()
  if(DGTD_UNITY AND M_UNITY)
    set_target_properties(dgtd_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
    # A warning for types in headers, which the sources then are.
    target_compile_options(dgtd_${name} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  endif()
  if(DGTD_UNITY AND M_LIGHT)
    target_compile_options(dgtd_${name} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>)
  endif()
  # A library calls its own copies of templates, not those that a test was compiled with.
  target_link_options(dgtd_${name} PRIVATE -Wl,-Bsymbolic-functions)
  target_link_libraries(dgtd_${name} PUBLIC dgtd_options ${M_PUBLIC} PRIVATE ${M_PRIVATE})
  if(M_CUDA)
    target_link_libraries(dgtd_${name} PUBLIC CUDA::cudart ${CMAKE_DL_LIBS})
  endif()
endfunction()

# dgtd_use_precompiled(TARGET OWNER): the precompiled header of target OWNER, as ccache needs it to be used.
function(dgtd_use_precompiled target owner)
  if(NOT target STREQUAL owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
  if(CCACHE_PROGRAM)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${CCACHE_PROGRAM}")
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
    endif()
  endif()
endfunction()

function(dgtd_test_options target)
  dgtd_use_precompiled(${target} dgtd_test_main)
endfunction()

# dgtd_unrolled(FILE...): sources of a module that become very long functions: kernels, whose loops are all unrolled, and
# Eigen's small matrices. Sanitizers check their accesses to arrays on the heap only, and by calls: with all checks
# inline, one of these files takes GCC 12 a minute to three.
function(dgtd_unrolled)
  foreach(file ${ARGN})
    set_property(SOURCE ${file} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
    if(DGTD_SANITIZE)
      set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS
        "-fno-sanitize=undefined;--param=asan-instrumentation-with-call-threshold=0;--param=asan-stack=0")
    elseif(DGTD_FUZZER)
      set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS "-fno-sanitize=all;-O0")
    endif()
  endforeach()
endfunction()

# dgtd_test(NAME LABEL label [CORE] [SOURCES file…] [LIBRARIES target…] [RANKS n…])
# One GoogleTest program; with RANKS it is run under mpirun once for each number N of ranks, as NAME_npN.
# Target tests_LABEL builds all programs with that label, tests_core those with CORE, which continuous integration runs with
# sanitizers: what reads input and addresses arrays, in a few minutes.
function(dgtd_test name)
  cmake_parse_arguments(T "CORE" "LABEL;TIMEOUT" "SOURCES;LIBRARIES;RANKS" ${ARGN})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 600)
  endif()
  if(DGTD_SANITIZE)
    math(EXPR T_TIMEOUT "3 * ${T_TIMEOUT}")  # loops over fields take twenty times as long
  endif()
  add_executable(${name} ${T_SOURCES})
  target_link_libraries(${name} PRIVATE ${T_LIBRARIES} dgtd_test_main)
  dgtd_test_options(${name})
  if(NOT TARGET tests_${T_LABEL})
    add_custom_target(tests_${T_LABEL})
  endif()
  add_dependencies(tests_${T_LABEL} ${name})
  set(labels ${T_LABEL})
  if(T_CORE)
    list(APPEND labels core)
    if(NOT TARGET tests_core)
      add_custom_target(tests_core)
    endif()
    add_dependencies(tests_core ${name})
  endif()
  # Tests may include the private headers of the module that they test: "M/NAME.hpp".
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
  if(T_RANKS)
    foreach(ranks ${T_RANKS})
      add_test(NAME ${name}_np${ranks}
        COMMAND ${MPIEXEC_EXECUTABLE} --oversubscribe --allow-run-as-root --bind-to none -np ${ranks} $<TARGET_FILE:${name}>)
      set_tests_properties(${name}_np${ranks} PROPERTIES LABELS "${labels}" PROCESSORS ${ranks}
        TIMEOUT ${T_TIMEOUT} ENVIRONMENT "OMP_NUM_THREADS=1;OMP_WAIT_POLICY=passive")
    endforeach()
  else()
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${T_TIMEOUT} ENVIRONMENT "OMP_WAIT_POLICY=passive")
  endif()
endfunction()
