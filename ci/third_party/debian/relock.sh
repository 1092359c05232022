#!/bin/sh
# Usage: relock.sh [PACKAGES LOCK]
#
# Rewrites LOCK. It lists, for every package of the manifest PACKAGES, the
# current version in the component `main` of the package's release. The release
# is Debian 12 "bookworm" unless the manifest names another one. Only `main` is
# used because it is frozen: its versions stay available.
#
# The script works in a private apt root and needs no root rights. It trusts the
# signature of the archive, because there are no hashes to compare with yet;
# fetch.sh checks hashes.
set -eu

here=$(dirname "$0")
. "$here/apt.sh"
packages=${1:-$here/packages}
lock=${2:-$here/lock}

RequireApt
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$root/lists/partial" "$root/cache/archives/partial"
: > "$root/status"

# Use only the transport settings of the host's configuration, so that its hooks
# do not run.
apt-config dump | grep '^Acquire::' | grep -v '^Acquire::IndexTargets' \
  > "$root/apt.conf"
cat >> "$root/apt.conf" <<CONF
Acquire::Languages "none";
APT::Architecture "amd64";
APT::Architectures { "amd64"; "arm64"; "armhf"; };
APT::Sandbox::User "";
Dir::Cache "$root/cache";
Dir::Etc::main "/dev/null";
Dir::Etc::parts "/dev/null";
Dir::Etc::sourcelist "$root/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State "$root";
Dir::State::lists "$root/lists";
Dir::State::status "$root/status";
CONF

keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -f "$keyring" ] || Fail "\`$keyring\` is not on this machine; install the" \
  "package \`debian-archive-keyring\`"

# Fetches the index of a release from the first mirror that has it. The mirrors
# of a host that is not Debian do not have it.
Update() {
  release=$1
  Mirrors > "$root/mirrors"
  while read -r uri; do
    echo "deb [signed-by=$keyring] $uri $release main" > "$root/sources.list"
    APT_CONFIG="$root/apt.conf" apt-get -q update --error-on=any \
      > "$root/log" 2>&1 && return 0
  done < "$root/mirrors"
  Fail "no mirror of this machine's apt gave a signed index of $release" \
    "($(sed -n 's/^E: //p' "$root/log" 2>/dev/null | head -n 1)); name one" \
    "with ASSAY_DEBIAN_MIRROR=http://HOST/debian"
}

# Lines: group, architecture, package, release.
awk '/^ *#/ || NF == 0 { next }
     /^[^ ]/ {
       split($1, name, "@")
       group = name[1]
       release = name[2] == "" ? "bookworm" : name[2]
       n = NF - 1
       for (i = 1; i <= n; i++) arch[i] = $(i + 1)
       next
     }
     { for (i = 1; i <= n; i++) print group, arch[i], $1, release }' \
  "$packages" > "$root/want"

for release in $(awk '{ print $4 }' "$root/want" | sort -u); do
  Update "$release"
  APT_CONFIG="$root/apt.conf" apt-cache --no-all-versions show \
      $(awk -v r="$release" '$4 == r { print $3 ":" $2 }' "$root/want" |
        sort -u) 2>/dev/null |
    awk -v r="$release" '/^Package: / { p = $2 } /^Architecture: / { a = $2 }
         /^Version: / { v = $2 } /^Filename: / { f = $2 }
         /^Size: / { s = $2 } /^SHA256: / { h = $2 }
         /^$/ { print r, p, a, v, h, s, f }' >> "$root/have"
done

{
  echo "# Written by \`./bazelw run //ci/third_party/debian:relock\`."
  echo "# group group-architecture package architecture version sha256 size path"
  while read -r group arch name release; do
    line=$(awk -v p="$name" -v a="$arch" -v r="$release" \
      '$1 == r && $2 == p && ($3 == a || $3 == "all") {
         sub(/^[^ ]* /, ""); print; exit }' "$root/have")
    [ -n "$line" ] || Fail "\`$name\` for $arch is not in $release main;" \
      "correct the manifest \`$packages\`"
    echo "$group $arch $line"
  done < "$root/want"
} > "$root/lock"
cmp -s "$root/lock" "$lock" && { echo "unchanged: $lock"; exit 0; }
cat "$root/lock" > "$lock"
echo "wrote $lock: $(grep -vc '^#' "$lock") packages"
