#include "tensor_copy.hpp"

#include <cuda_runtime.h>
#include <fmt/format.h>

#include "cuda_check.hpp"
#include "dgtd/base/error.hpp"

namespace dgtd::parallel {

namespace {

CUtensorMap map_of(CUtensorMapDataType type, const void* data, const std::uint64_t (&size)[4],
                   const std::uint64_t (&stride)[3], const std::uint32_t (&box)[2]) {
  // From the driver at run time, so that programs start without one.
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  DGTD_CUDA_CHECK(
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found));
  if (found != cudaDriverEntryPointSuccess) throw Error(ExitCode::device, "the CUDA driver has no tensor maps");
  const cuuint64_t dims[4] = {size[0], size[1], size[2], size[3]}, strides[3] = {stride[0], stride[1], stride[2]};
  const cuuint32_t boxes[4] = {box[0], box[1], 1, 3}, steps[4] = {1, 1, 1, 1};
  CUtensorMap map;
  const CUresult status = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function)(
      &map, type, 4, const_cast<void*>(data), dims, strides, boxes, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (status != CUDA_SUCCESS)
    throw Error(ExitCode::device, fmt::format("the CUDA driver refuses a tensor map ({})", static_cast<int>(status)));
  return map;
}

}  // namespace

CUtensorMap map_of_components(const float* data, const std::uint64_t (&size)[4], const std::uint64_t (&stride)[3],
                              const std::uint32_t (&box)[2]) {
  return map_of(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, data, size, stride, box);
}
CUtensorMap map_of_components(const std::uint16_t* data, const std::uint64_t (&size)[4],
                              const std::uint64_t (&stride)[3], const std::uint32_t (&box)[2]) {
  return map_of(CU_TENSOR_MAP_DATA_TYPE_UINT16, data, size, stride, box);
}

}  // namespace dgtd::parallel
