# Configuring and building a preset of CMakePresets.json. Sourced, never run.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

# Objects are shared between presets and between runs. Inside build/ unless the user has a cache of their own.
export CCACHE_DIR=${CCACHE_DIR:-$ROOT/build/ccache}

# configure PRESET [CACHE_VARIABLE...]
configure() {
  local preset=$1 folder=$ROOT/build/$1 launcher=()
  shift
  # A build folder that was copied or moved names another source folder; CMake refuses it, so it starts anew.
  if [ -f "$folder/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$ROOT" "$folder/CMakeCache.txt"; then
    rm -rf "$folder"
  fi
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache)
  fi
  (cd "$ROOT" && cmake --preset "$preset" "${launcher[@]}" "$@")
}

# build PRESET [TARGET...]: all targets when none is named.
build() {
  local preset=$1 targets=()
  shift
  [ $# -eq 0 ] || targets=(--target "$@")
  cmake --build "$ROOT/build/$preset" --parallel "$(job_count)" "${targets[@]}"
}

# With tests, which a folder that quickstart configured leaves out.
configure_and_build() {
  local preset=$1
  shift
  configure "$preset" -DTRAINWRIGHT_BUILD_TESTING=ON && build "$preset" "$@"
}

# print_features LOG_NAME: what CMake found, and why something is off.
print_features() {
  sed -n '/^-- Trainwright .* features:/,/^-- Conf/{/^  /p}' "$LOGS/$1.log"
}
