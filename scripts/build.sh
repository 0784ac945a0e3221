#!/usr/bin/env bash
# Configures and builds the release preset with Ninja on all cores.
set -euo pipefail

if [[ ${1-} == --help || ${1-} == -h ]]; then
  cat <<'HELP'
Usage: scripts/build.sh [TARGET...]
Configures the preset "release" and builds it, or only the given targets, in build/release.
The programs are in build/release/bin. scripts/setup.sh installs the packages that the build needs.
HELP
  exit 0
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."
cmake --preset release
targets=()
if (($# > 0)); then
  targets=(--target "$@")
fi
cmake --build --preset release --parallel "$(nproc)" "${targets[@]}"
