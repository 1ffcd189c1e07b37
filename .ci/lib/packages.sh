# Debian packages of .ci/packages.txt: which are missing, and installing those. Sourced, never run.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

packages_of_groups() {
  local group
  for group in "$@"; do
    sed -n "s/^$group  *\([^ ]*\).*/\1/p" "$ROOT/.ci/packages.txt"
  done
}

missing_packages() {
  local package states
  for package in $(packages_of_groups "$@"); do
    # shellcheck disable=SC2086  # alternatives become words; those that are not known make dpkg-query fail
    states=$(dpkg-query -W -f='${db:Status-Status}\n' ${package//|/ } 2>/dev/null)
    grep -qx installed <<<"$states" || printf '%s ' "${package%%|*}"
  done
}

# as_root COMMAND...: directly for root, through sudo for others. 126: neither is possible.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    return 126
  fi
}

apt_install() {
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -y -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300
             -o Acquire::Retries=3)
  as_root "${apt[@]}" install --no-install-recommends "$@" && return
  # The list of packages may be missing (fresh machine) or older than the registry: bring it up to date, once.
  as_root "${apt[@]}" update && as_root "${apt[@]}" install --no-install-recommends "$@"
}

# ensure_packages GROUP...: installs what is missing; silent and quick when nothing is.
ensure_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "This machine has no dpkg. The packages of .ci/packages.txt are taken to be here under other names."
    return
  fi
  local missing
  missing=$(missing_packages "$@")
  if [ -z "$missing" ]; then
    say "Packages: all $(packages_of_groups "$@" | wc -l) are here."
    return
  fi
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      fail 3 "Packages are missing and this user may not install them. As root: apt-get install --no-install-recommends $missing"
    fi
    sudo -v || fail 3 "Without root: ask for apt-get install --no-install-recommends $missing"
  fi
  # shellcheck disable=SC2086  # a list of words
  run_step "Installing $(wc -w <<<"$missing") packages: $missing" install apt_install $missing ||
    fail 3 "The packages could not be installed. By hand: apt-get install --no-install-recommends $missing"
}
