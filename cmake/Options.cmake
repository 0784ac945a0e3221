# Compiler options shared by all modules: target dgtd_options.
add_library(dgtd_options INTERFACE)
target_include_directories(dgtd_options INTERFACE ${PROJECT_SOURCE_DIR}/include)
# Contraction is off so that a result never depends on the loop it was compiled into: fused
# multiply-adds are written where they are meant.
target_compile_options(dgtd_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -ffp-contract=off>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${DGTD_NATIVE}>>:-march=native>)
# -fmad=false: as on the CPU, so that both round alike.
target_compile_options(dgtd_options INTERFACE
  $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr -fmad=false -Xcompiler=-Wall,-Wextra,-Wno-unknown-pragmas>)
target_link_options(dgtd_options INTERFACE -Wl,--as-needed)
target_compile_definitions(dgtd_options INTERFACE
  OMPI_SKIP_MPICXX DGTD_VERSION="${PROJECT_VERSION}" $<$<BOOL:${DGTD_CUDA}>:DGTD_CUDA=1>)
if(DGTD_SANITIZE)
  target_compile_options(dgtd_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer>)
  target_link_options(dgtd_options INTERFACE -fsanitize=address,undefined)
endif()

if(DGTD_QUICK_KERNELS)
  target_compile_options(dgtd_options INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-Xcicc=-O1>)
endif()

option(DGTD_UNITY "Compile six sources at a time, and with -O1 what has no loops of a time step: less than half of the time" OFF)

# What nearly every source includes, read once. Off where many checkouts share a compiler cache, which the path of a
# precompiled header would divide.
option(DGTD_PRECOMPILE "Precompile the headers of the standard library and of fmt" OFF)
if(DGTD_PRECOMPILE)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cpp CONTENT "")
  add_library(dgtd_precompiled OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
  set_target_properties(dgtd_precompiled PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(dgtd_precompiled PRIVATE dgtd_options fmt::fmt OpenMP::OpenMP_CXX)
  target_precompile_headers(dgtd_precompiled PRIVATE
    <fmt/format.h> <algorithm> <array> <cmath> <complex> <cstdint> <filesystem> <functional> <map> <memory> <optional>
    <string> <string_view> <utility> <variant> <vector>)
  dgtd_use_precompiled(dgtd_precompiled dgtd_precompiled)
endif()
