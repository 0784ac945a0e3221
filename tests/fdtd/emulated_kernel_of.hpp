#pragma once
#include "support/emulated_device/emulated_copies.hpp"
// Before the tile's headers, which find the above in place of CUDA's.
#include <memory>
#include <new>

#include "emulated_volume_kernels.hpp"
#include "fdtd/volume_tile_update.hpp"

namespace dgtd::fdtd {

template <class Number, VolumeTileContent content>
EmulatedVolumeKernel emulated_kernel_of() {
  using Kind = VolumeTileKind<Number, 4, content>;
  using Memory = VolumeTileMemory<Kind>;
  constexpr auto run = [](const CUtensorMap& electric_map, const CUtensorMap& magnetic_map, const VolumeView& v,
                          unsigned block, unsigned seed) {
    struct Free {
      void operator()(void* at) const { ::operator delete (at, std::align_val_t{128}); }
    };
    const std::unique_ptr<void, Free> shared(::operator new (sizeof(Memory), std::align_val_t{128}));
    std::memset(shared.get(), 0xff, sizeof(Memory));  // no numbers
    emulation::run_block(block, Kind::warps * 32, seed,
                         [&] { run_tile<Kind>(electric_map, magnetic_map, v, *static_cast<Memory*>(shared.get())); });
  };
  return {content, Memory::staged_columns, Memory::staged_rows, run};
}

inline EmulatedVolumeKernel one_of(std::initializer_list<EmulatedVolumeKernel (*)()> kernels,
                                   const VolumeTileContent& wanted) {
  for (const auto kernel : kernels)
    if (kernel().content == wanted) return kernel();
  throw std::logic_error("no kernel has a group's content");
}

}  // namespace dgtd::fdtd
