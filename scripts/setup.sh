#!/usr/bin/env bash
# Installs what dgtd is built from, on Debian 12. A second run finds all of it and needs no network.
set -euo pipefail

if [[ ${1-} == --help || ${1-} == -h ]]; then
  cat <<'HELP'
Usage: scripts/setup.sh [--fuzzer]
Installs the missing ones of the Debian packages that dgtd needs (as root, or by sudo).
--fuzzer: also those of scripts/fuzz_guided.sh, clang 14 with libFuzzer, its OpenMP and its symbolizer.
If none is missing nothing is downloaded. CUDA is not installed; the build uses it where nvcc is found.
HELP
  exit 0
fi
fuzzer=()
if [[ ${1-} == --fuzzer ]]; then
  fuzzer=(clang-14 libclang-rt-14-dev libomp-14-dev llvm-14)
  shift
fi
if (($# > 0)); then
  echo "setup.sh: unknown argument '$1' (only --help and --fuzzer are known)" >&2
  exit 2
fi

packages=(patchelf 
  build-essential cmake ninja-build ccache git
  libopenmpi-dev openmpi-bin
  libmetis-dev libgmsh-dev libcgal-dev libvtk9-dev libhdf5-dev zlib1g-dev libboost-program-options-dev libboost-context-dev
  libfmt-dev nlohmann-json3-dev libeigen3-dev libspectra-dev libmuparser-dev libgtest-dev
  python3 python3-numpy python3-matplotlib python3-pytest
  "${fuzzer[@]}"
)

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "setup.sh: not a Debian system; install a C++20 compiler with OpenMP, CMake >= 3.24, Ninja, MPI, METIS, Gmsh (library), VTK 9, HDF5, zlib, CGAL 5.5 or newer, Boost.Program_options and Boost.Context, fmt, nlohmann-json, Eigen 3, Spectra 1.0, muParser, GoogleTest, Python 3 with NumPy, Matplotlib and pytest, then run scripts/build.sh" >&2
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [[ $state == "install ok installed" ]] || missing+=("$package")
done

if ((${#missing[@]} > 0)); then
  as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "setup.sh: neither root nor sudo; ask an administrator for: apt-get install ${missing[*]}" >&2
      exit 1
    fi
    as_root=(sudo)
  fi
  echo "setup: installing ${missing[*]}"
  "${as_root[@]}" apt-get update
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
fi

cmake_version=$(cmake --version | awk 'NR == 1 { print $3 }')
if ! dpkg --compare-versions "$cmake_version" ge 3.24; then
  echo "setup.sh: CMake $cmake_version is too old, 3.24 or newer is needed" >&2
  exit 1
fi

echo "setup: ${#packages[@]} packages present, ${#missing[@]} of them installed now"
if nvcc=$(command -v nvcc); then
  echo "setup: CUDA compiler found: $nvcc"
else
  echo "setup: no CUDA compiler (nvcc), dgtd is built for the CPU only"
fi
