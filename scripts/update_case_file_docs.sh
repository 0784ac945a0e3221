#!/bin/sh
# Writes the tables in docs/case-file.md anew: keys from the program's table of keys (src/config/keys_*.cpp), tissues
# from its library (src/physics/tissue_table.hpp), materials of optics from theirs (src/physics/optical_material.cpp).
# Usage: scripts/update_case_file_docs.sh, after a build (scripts/build.sh) has configured build/release.
set -e
cd "$(dirname "$0")/.."
cmake --build build/release --target case-file-tables
build/release/bin/case-file-tables docs/case-file.md
