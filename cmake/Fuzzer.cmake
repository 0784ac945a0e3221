# Coverage-guided fuzzing (scripts/fuzz_guided.sh): the modules that read files are compiled with libFuzzer's counters
# and the sanitizers. The others have no part in reading, and their kernels would take long to compile.
option(DGTD_FUZZER "Build what libFuzzer needs, with clang" OFF)
if(DGTD_FUZZER AND NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  message(FATAL_ERROR "DGTD_FUZZER = ON needs clang, not ${CMAKE_CXX_COMPILER_ID}; use the preset fuzzer")
endif()
set(fuzzed_modules base parallel physics geometry mesh gmsh grid io config app)
set(fuzzer_sanitizers address,undefined)

# dgtd_instrument(TARGET): counters of edges and checks of the sanitizers in a library.
function(dgtd_instrument target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link,${fuzzer_sanitizers} -fno-sanitize=vptr,function
      -fno-sanitize-recover=all -fno-omit-frame-pointer>)
endfunction()

# dgtd_fuzzer_options(TARGET MODULE): as quick to compile as may be, where the module does not read.
function(dgtd_fuzzer_options target module)
  if(module IN_LIST fuzzed_modules)
    dgtd_instrument(${target})
  else()
    target_compile_options(${target} PRIVATE -O0 -g0)
  endif()
endfunction()

# dgtd_fuzzer(NAME SOURCES file… LIBRARIES target…): a program with libFuzzer's main function.
function(dgtd_fuzzer name)
  cmake_parse_arguments(F "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${F_SOURCES})
  dgtd_instrument(${name})
  target_link_libraries(${name} PRIVATE ${F_LIBRARIES})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer,${fuzzer_sanitizers})
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)  # dgtd_gmsh, which is loaded later, calls the sanitizers
endfunction()
