# Shared by the scripts in this folder; source it after `set -euo pipefail`.
# Leaves the current folder at the top of the repository.

cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '== %s\n' "$*"; }

# packages_for PURPOSE...: the names in scripts/packages, one a line.
packages_for() {
  local purpose
  for purpose in "$@"; do
    sed -n "s/^$purpose: //p" scripts/packages | tr ' ' '\n'
  done
}

# missing_packages PURPOSE...: those of them that are not installed.
missing_packages() {
  local package
  packages_for "$@" | while read -r package; do
    if [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) != installed ]]; then
      echo "$package"
    fi
  done
}

# install_packages PURPOSE...: installs what is missing; without root, says how.
install_packages() {
  local missing
  if ! command -v dpkg-query >/dev/null; then
    say "Not a Debian system: this goes on in the hope that what scripts/packages lists is there."
    return
  fi
  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]} == 0)); then
    say "All packages are there."
    return
  fi
  if ((EUID != 0)); then
    cat >&2 <<END
Missing packages: ${missing[*]}

Install them as root, then run this again:

  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}

END
    exit 1
  fi
  say "Installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -qq -y --no-install-recommends "${missing[@]}"
}

# build PRESET ON|OFF [TARGET...]: configures, with tests or without, and builds. Tests
# that were configured once stay, so that the two scripts share one build folder.
build() {
  local preset=$1 tests=$2 folder=build/$1
  if [[ ! -e $folder/build.ninja ]] || { [[ $tests == ON ]] && ! grep -q '^FORGE_TESTS:BOOL=ON$' "$folder/CMakeCache.txt"; }; then
    say "Configuring $folder"
    cmake --preset "$preset" -DFORGE_TESTS="$tests"
  fi
  say "Building $folder"
  shift 2
  cmake --build --preset "$preset" ${1:+--target "$@"}
}
