"""Spack recipe: spack repo add scripts/cluster/spack; spack install dgtd +cuda cuda_arch=90"""
from spack.package import *


class Dgtd(CMakePackage, CudaPackage):
    """Time-domain Maxwell solver: discontinuous Galerkin on tetrahedra, FDTD on grids, Hertzian potentials."""

    # The source is a clone, in whose folder this is run: spack dev-build dgtd@0.1.0
    version("0.1.0")

    license("GPL-3.0-or-later")

    variant("native", default=True, description="Use all instructions of the building machine's CPU")
    variant("max_order", default="6", values=("1", "2", "3", "4", "5", "6"), multi=False,
            description="The highest order of method dgtd that kernels are built for")
    variant("nccl", default=True, when="+cuda", description="Halo exchange by NCCL")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.24:", type="build")
    depends_on("ninja", type="build")
    depends_on("mpi")
    depends_on("metis@5:")
    depends_on("gmsh@4.8: +shared +opencascade")
    depends_on("cgal@5.5:")
    depends_on("vtk@9: ~mpi")
    depends_on("hdf5@1.10: ~mpi")
    depends_on("zlib-api")
    depends_on("boost@1.74: +program_options")
    depends_on("boost@1.74: +context", type="test")
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3.11:")
    depends_on("eigen@3.4:3")
    depends_on("muparser@2.3:")
    depends_on("googletest@1.12:", type="test")
    depends_on("cuda@12:", when="+cuda")
    depends_on("nccl", when="+nccl")
    depends_on("python@3.9:", type="run")
    depends_on("py-numpy", type="run")
    depends_on("py-matplotlib", type="run")

    conflicts("%gcc@:11", msg="dgtd is written in C++20")
    conflicts("cuda_arch=none", when="+cuda", msg="cuda_arch names the GPUs, such as 90 for H100 and H200")

    generator("ninja")

    def cmake_args(self):
        arguments = [
            self.define("DGTD_CUDA", "ON" if self.spec.satisfies("+cuda") else "OFF"),
            self.define_from_variant("DGTD_NATIVE", "native"),
            self.define_from_variant("DGTD_MAX_ORDER", "max_order"),
            self.define("BUILD_TESTING", self.run_tests),
        ]
        if self.spec.satisfies("+cuda"):
            arguments.append(self.define("CMAKE_CUDA_ARCHITECTURES", ";".join(self.spec.variants["cuda_arch"].value)))
        return arguments
