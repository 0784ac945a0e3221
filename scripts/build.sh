#!/usr/bin/env bash
# Configures and builds the release preset with Ninja on all cores.
set -euo pipefail

if [[ ${1-} == --help || ${1-} == -h ]]; then
  cat <<'HELP'
Usage: scripts/build.sh [TARGET...]
Configures the preset "release" and builds it (or only the targets given) in build/release;
the programs lie in build/release/bin. scripts/setup.sh installs what is needed for it.
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
