#!/bin/sh
# Usage: fetch.sh LOCK GROUP ARCHITECTURE FOLDER
#
# Puts the packages of one group of the lock into FOLDER, unpacked. A package
# already in the user's cache is not downloaded; one that is, is kept there
# under its SHA-256, so a second clone of the tree fetches nothing.
set -eu
. "$(dirname "$0")/apt.sh"

lock=$1
group=$2
arch=$3
folder=$4

RequireApt
cache=$(CacheFolder)
mkdir -p "$cache" || Fail "cannot create the download cache \`$cache\`;" \
  "set ASSAY_CACHE to a folder you may write"
work=$(mktemp -d "$cache/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Lines of the group: name architecture version sha256 size path.
awk -v g="$group" -v a="$arch" \
  '$1 == g && $2 == a { print $3, $4, $5, $6, $7, $8 }' "$lock" > "$work/want"
[ -s "$work/want" ] || Fail "the lock holds no package of group \`$group\`" \
  "for \`$arch\`; run \`./bazelw run //ci/third_party/debian:relock\`"

# Leaves in $work/missing the lines whose file is not in the cache.
ListMissing() {
  : > "$work/missing"
  while read -r name narch version sha size path; do
    [ -f "$cache/$sha.deb" ] ||
      echo "$name $narch $version $sha $size $path" >> "$work/missing"
  done < "$work/want"
}

# Downloads what is missing from one mirror. apt-helper fetches every file
# of one call over the same connections and checks the hashes itself; a
# failed file is reported and does not stop the others.
DownloadFrom() {
  mirror=$1
  set --
  while read -r name narch version sha size path; do
    case $mirror in
      file:*)
        # apt would link to the file instead of copying it.
        from=/$(echo "${mirror#file:}/$path" | sed 's,^/*,,')
        cp "$from" "$work/$sha.part" 2>> "$work/log" || true
        ;;
      *) set -- "$@" "$mirror/$path" "$work/$sha.part" "SHA256:$sha" ;;
    esac
  done < "$work/missing"
  # Without root apt needs no unprivileged user; with root it would want one
  # that can write here.
  [ $# = 0 ] || /usr/lib/apt/apt-helper -q -o APT::Sandbox::User= \
    download-file "$@" >> "$work/log" 2>&1 || true
  while read -r name narch version sha size path; do
    [ -f "$work/$sha.part" ] || continue
    if [ "$(Sha256Of "$work/$sha.part")" = "$sha" ]; then
      mv "$work/$sha.part" "$cache/$sha.deb"
    else
      mv "$work/$sha.part" "$work/$sha.part.FAILED"
    fi
  done < "$work/missing"
  ListMissing
}

# Says, in one sentence about the first missing package, what went wrong.
Explain() {
  read -r name narch version sha size path < "$work/missing"
  what="\`$name\` $version for $narch"
  # Where apt sees a wrong hash, it leaves a file of that name, too.
  if [ -f "$work/$sha.part.FAILED" ]; then
    Fail "$what: the mirror's file does not have the hash in the lock" \
      "($sha); try another mirror with" \
      "ASSAY_DEBIAN_MIRROR=http://HOST/debian, and do not relock before you" \
      "know why it differs"
  elif grep -q -e ' 404 ' -e 'File not found' -e 'No such file' \
      "$work/log"; then
    Fail "$what is no longer on the mirror; name one that still has it," \
      "such as a snapshot, with ASSAY_DEBIAN_MIRROR, or move the lock to" \
      "what there is with \`./bazelw run //ci/third_party/debian:relock\`"
  else
    Fail "$what: no mirror could be reached" \
      "($(sed -n 's/^E: //p' "$work/log" | head -n 1)); check the network" \
      "and the proxy, or name a mirror with" \
      "ASSAY_DEBIAN_MIRROR=http://HOST/debian"
  fi
}

ListMissing
if [ -s "$work/missing" ]; then
  Mirrors > "$work/mirrors"
  [ -s "$work/mirrors" ] || Fail "the apt sources of this machine name no" \
    "archive with a \`main\` component; name a Debian mirror with" \
    "ASSAY_DEBIAN_MIRROR=http://HOST/debian"
  : > "$work/log"
  while [ -s "$work/missing" ] && read -r uri; do
    DownloadFrom "$uri"
  done < "$work/mirrors"
  [ ! -s "$work/missing" ] || Explain
fi

# A file of the cache is trusted only after its hash was looked at again: a
# full disk or a killed process may have left half of one.
while read -r name narch version sha size path; do
  [ "$(Sha256Of "$cache/$sha.deb")" = "$sha" ] || {
    rm -f "$cache/$sha.deb"
    Fail "\`$name\` $version for $narch: the copy in the cache was damaged" \
      "and has been deleted; run the build again"
  }
done < "$work/want"

mkdir -p "$folder"
while read -r name narch version sha size path; do
  dpkg-deb -x "$cache/$sha.deb" "$folder" ||
    Fail "\`$name\` $version for $narch: \`dpkg-deb\` cannot unpack it"
done < "$work/want"
# What the unpacked tree is, for build actions to depend on.
cp "$work/want" "$folder/stamp"
