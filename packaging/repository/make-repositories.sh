#!/bin/sh
# Makes repositories for apt and dnf out of packages of a release, for a web server of your own.
#
#   sh make-repositories.sh DIRECTORY KEY PACKAGE…
#
# Adds the packages to DIRECTORY/apt (.deb) and DIRECTORY/dnf (.rpm), and writes their indexes again, signed by this key of gpg's
# keyring: an e-mail address or a fingerprint. DIRECTORY/census.asc is its public half. Older versions stay; delete them from apt/pool
# or dnf, and run the script again without a PACKAGE.
# Needs gpg; for apt apt-ftparchive (Debian: apt-utils), for dnf createrepo_c.
set -eu

fail() {
  echo "make-repositories.sh: $1" >&2
  exit 1
}

[ $# -ge 2 ] || fail "expected DIRECTORY KEY PACKAGE…"
directory=$1 key=$2
shift 2
for package in "$@"; do
  case $package in
    *.deb | *.rpm) [ -f "$package" ] || fail "$package: does not exist" ;;
    *) fail "$package: expected a .deb or .rpm file" ;;
  esac
done
gpg --batch --list-secret-keys "$key" > /dev/null 2>&1 || fail "$key: gpg has no secret key of this name"

mkdir -p "$directory"
for package in "$@"; do
  case $package in
    *.deb) folder=$directory/apt/pool ;;
    *.rpm) folder=$directory/dnf ;;
  esac
  mkdir -p "$folder"
  cp "$package" "$folder/"
done
cd "$directory"
gpg --batch --yes --armor --output census.asc --export "$key"

sign() {
  gpg --batch --yes --local-user "$key" --digest-algo SHA256 "$@"
}

if [ -d apt/pool ]; then
  command -v apt-ftparchive > /dev/null || fail "apt-ftparchive is not installed (Debian: apt-utils)"
  rm -rf apt/dists
  for architecture in amd64 arm64; do
    index=apt/dists/stable/main/binary-$architecture
    mkdir -p "$index"
    (cd apt && apt-ftparchive --arch "$architecture" packages pool) > "$index/Packages"
    gzip -9nk "$index/Packages"
  done
  # Not inside of the directory, which would list it.
  release=$(apt-ftparchive -o APT::FTPArchive::Release::Origin=census -o APT::FTPArchive::Release::Suite=stable \
    -o APT::FTPArchive::Release::Codename=stable -o APT::FTPArchive::Release::Components=main \
    -o "APT::FTPArchive::Release::Architectures=amd64 arm64" release apt/dists/stable)
  echo "$release" > apt/dists/stable/Release
  sign --clearsign --output apt/dists/stable/InRelease apt/dists/stable/Release
  sign --armor --detach-sign --output apt/dists/stable/Release.gpg apt/dists/stable/Release
fi

if [ -d dnf ]; then
  command -v createrepo_c > /dev/null || fail "createrepo_c is not installed"
  createrepo_c --quiet dnf
  sign --armor --detach-sign --output dnf/repodata/repomd.xml.asc dnf/repodata/repomd.xml
fi
