#!/bin/sh
# Installs a release of Census for a CI job: verifies its checksum, unpacks it, and prints the shell statements that put the program
# on the path.
#
#   eval "$(sh install.sh FILE SHA256 DIRECTORY)"
#
# FILE is the path or the address of census-VERSION-PLATFORM.tar.xz, SHA256 its checksum from SHA256SUMS of the release. Nothing is
# fetched if DIRECTORY has this release already, so a cache of DIRECTORY is enough. The engine's library is unpacked there, too.
# Needs tar with xz, sha256sum or shasum, and curl for addresses.
set -eu

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

[ $# -eq 3 ] || fail "expected FILE SHA256 DIRECTORY, got $# arguments"
file=$1 sum=$2 directory=$3

case $sum in
  *[!0-9a-f]*) fail "not a SHA-256 checksum: $sum" ;;
esac
[ ${#sum} -eq 64 ] || fail "not a SHA-256 checksum: $sum"

checksum_of() {
  if command -v sha256sum > /dev/null; then sha256sum < "$1"; else shasum -a 256 < "$1"; fi | cut -d ' ' -f 1
}

if [ ! -x "$directory/program/census" ] || [ "$(cat "$directory/sha256" 2> /dev/null)" != "$sum" ]; then
  mkdir -p "$directory"
  rm -rf "$directory/program" "$directory/engine" "$directory/sha256"
  archive=$directory/archive
  case $file in
    http://* | https://*) curl --fail --silent --show-error --location --retry 3 --output "$archive" "$file" ;;
    *) cp "$file" "$archive" ;;
  esac
  found=$(checksum_of "$archive")
  if [ "$found" != "$sum" ]; then
    rm -f "$archive"
    fail "$file: the checksum is $found instead of $sum"
  fi
  mkdir "$directory/program"
  tar -xJf "$archive" -C "$directory/program" --strip-components 1
  rm "$archive"
  # Other users must not be able to change the library.
  mkdir -m 700 "$directory/engine"
  echo "$sum" > "$directory/sha256"
fi

cd "$directory"
[ -z "${GITHUB_PATH:-}" ] || echo "$PWD/program" >> "$GITHUB_PATH"
[ -z "${GITHUB_ENV:-}" ] || echo "CENSUS_NATIVE_DIR=$PWD/engine" >> "$GITHUB_ENV"

quoted() {
  printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"
}
echo "export PATH=$(quoted "$PWD/program"):\"\$PATH\" CENSUS_NATIVE_DIR=$(quoted "$PWD/engine")"
