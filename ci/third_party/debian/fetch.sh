#!/bin/sh
# Usage: fetch.sh LOCK GROUP ARCHITECTURE FOLDER
#
# Unpacks the packages of one group of the lock into FOLDER. Downloaded packages
# are stored in the user's cache under their SHA-256, so that other clones of
# the repository do not download them again.
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

# The lines of the group: name architecture version sha256 size path.
awk -v g="$group" -v a="$arch" \
  '$1 == g && $2 == a { print $3, $4, $5, $6, $7, $8 }' "$lock" > "$work/want"
[ -s "$work/want" ] || Fail "the lock holds no package of group \`$group\`" \
  "for \`$arch\`; run \`./bazelw run //ci/third_party/debian:relock\`"

# Writes the lines whose file is not in the cache to $work/missing.
ListMissing() {
  : > "$work/missing"
  while read -r name narch version sha size path; do
    [ -f "$cache/$sha.deb" ] ||
      echo "$name $narch $version $sha $size $path" >> "$work/missing"
  done < "$work/want"
}

# Downloads the missing files from one mirror. apt-helper reuses its connections
# for all files and checks the hashes. It reports a file that fails and
# continues with the next one.
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
  # If it runs as root, apt would switch to an unprivileged user that cannot
  # write to this folder.
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

# Exits with an error message about the first missing package.
Explain() {
  read -r name narch version sha size path < "$work/missing"
  what="\`$name\` $version for $narch"
  # apt also creates a file of this name if the hash is wrong.
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

# Check the hash of every file of the cache: a full disk or a killed process may
# have left a truncated file.
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
# Identifies the contents of the unpacked tree; build actions depend on it.
cp "$work/want" "$folder/stamp"
