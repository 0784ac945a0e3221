// Kernels of passes over a volume grid: name and VolumeTileContent, a row each. This is their only list.
//
// For each row and precision CMake writes a source (src/fdtd/CMakeLists.txt) with the function volume_kernel_NAME or
// volume_kernel_half_NAME; the tables of a device (cuda/fdtd/volume_pass.cu) and of the emulated one (tests/fdtd) are
// made of the rows of this file. To include it, define
//   DGTD_VOLUME_KERNEL(name, content...)         rows of both precisions,
//   DGTD_VOLUME_KERNEL_SINGLE(name, content...)  rows of single precision only.
// A row is one line: CMake reads it by a regular expression.

// clang-format off
DGTD_VOLUME_KERNEL(plain)
DGTD_VOLUME_KERNEL(layers_x, .layers = 1)
DGTD_VOLUME_KERNEL(layers_y, .layers = 2)
DGTD_VOLUME_KERNEL(layers_xy, .layers = 3)
DGTD_VOLUME_KERNEL(layers_z, .layers = 4)
DGTD_VOLUME_KERNEL(layers_xz, .layers = 5)
DGTD_VOLUME_KERNEL(layers_yz, .layers = 6)
DGTD_VOLUME_KERNEL(layers_all, .layers = 7)

// Classes of media; in half precision other contents take one of those below.
DGTD_VOLUME_KERNEL(mixed, .media = TileMedia::classes)
DGTD_VOLUME_KERNEL_SINGLE(mixed_x, .layers = 1, .media = TileMedia::classes)
DGTD_VOLUME_KERNEL_SINGLE(mixed_y, .layers = 2, .media = TileMedia::classes)
DGTD_VOLUME_KERNEL_SINGLE(mixed_z, .layers = 4, .media = TileMedia::classes)
DGTD_VOLUME_KERNEL_SINGLE(mixed_few, .media = TileMedia::few_classes)
DGTD_VOLUME_KERNEL_SINGLE(mixed_few_x, .layers = 1, .media = TileMedia::few_classes)
DGTD_VOLUME_KERNEL_SINGLE(mixed_few_y, .layers = 2, .media = TileMedia::few_classes)
DGTD_VOLUME_KERNEL(damped, .media = TileMedia::classes, .damped = true)
DGTD_VOLUME_KERNEL(damped_z, .layers = 4, .media = TileMedia::classes, .damped = true)
DGTD_VOLUME_KERNEL(sourced, .media = TileMedia::classes, .sourced = true, .damped = true)
DGTD_VOLUME_KERNEL(sourced_z, .layers = 4, .media = TileMedia::classes, .sourced = true, .damped = true)
DGTD_VOLUME_KERNEL(everything, .layers = 7, .media = TileMedia::classes, .sourced = true, .damped = true)

// Lumped ports, with whatever else is there.
DGTD_VOLUME_KERNEL_SINGLE(ports, .media = TileMedia::classes, .sourced = true, .damped = true, .ports = true)
DGTD_VOLUME_KERNEL_SINGLE(ports_everything, .layers = 7, .media = TileMedia::classes, .sourced = true, .damped = true, .ports = true)

// Cb per component.
DGTD_VOLUME_KERNEL(cb, .media = TileMedia::Cb)
DGTD_VOLUME_KERNEL(cb_damped, .media = TileMedia::Cb, .damped = true)
DGTD_VOLUME_KERNEL(cb_damped_z, .layers = 4, .media = TileMedia::Cb, .damped = true)
DGTD_VOLUME_KERNEL(cb_sourced, .media = TileMedia::Cb, .sourced = true, .damped = true)
DGTD_VOLUME_KERNEL(by_plane, .layers = 4, .media = TileMedia::Cb, .by_plane = true)
DGTD_VOLUME_KERNEL(by_plane_damped, .layers = 4, .media = TileMedia::Cb, .damped = true, .by_plane = true)
// clang-format on

#undef DGTD_VOLUME_KERNEL
#undef DGTD_VOLUME_KERNEL_SINGLE
