#!/bin/sh
# Runs a command in a bare Debian, to show that nothing else is needed. See
# Usage.
set -eu

Usage() {
  cat <<'END_OF_USAGE'
Makes a folder with nothing but the base system of this machine's Debian
release, CA certificates, and this machine's configuration of apt and pip,
clones a commit of this repository into it, and runs a command in the clone,
with an empty HOME.

Usage: ci/checks/bare_chroot.sh [OPTIONS] -- COMMAND...

  --folder=FOLDER  where; default a new folder in /var/tmp. It must not exist,
                   unless it was made by this script and kept: then it is used
                   as it is, with what earlier commands left in it
  --commit=REV     what to clone; default HEAD. What is not committed is not
                   seen. A folder that is used again keeps its clone
  --keep           do not delete the folder at the end

It needs to be root on Debian, with `debootstrap` and `git`. The base system
takes 0.3 GB, and a build of everything tens of GB. Mounts and processes are in
namespaces of their own and end with the command, even if this script is killed.

Exit codes: that of the command; 2 usage; 5 the base system could not be made.
END_OF_USAGE
}

Fail() {
  code=$1
  shift
  echo "error: $*" >&2
  exit "$code"
}

marker=.assay_bare_chroot
repository=$(cd "$(dirname "$0")/../.." && pwd)
folder=
commit=HEAD
keep=
while [ $# != 0 ]; do
  case $1 in
    --help | -h) Usage; exit 0 ;;
    --folder=?*) folder=${1#*=} ;;
    --commit=?*) commit=${1#*=} ;;
    --keep) keep=yes ;;
    --) shift; break ;;
    *) Fail 2 "what is \`$1\`? See \`--help\`" ;;
  esac
  shift
done
[ $# != 0 ] || Fail 2 "there is no command after \`--\`; see \`--help\`"
name=$commit
commit=$(git -C "$repository" rev-parse --verify --quiet "$name^{commit}") ||
  Fail 2 "\`--commit\`: there is no commit \`$name\`"
made=
if [ -n "$folder" ] && [ -e "$folder" ]; then
  [ -f "$folder/$marker" ] ||
    Fail 2 "\`--folder\`: \`$folder\` exists, and this script did not make it"
  made=yes
fi
[ "$(id -u)" = 0 ] || Fail 2 "this needs to be root"
command -v debootstrap > /dev/null ||
  Fail 2 "\`debootstrap\` is missing; install it with \`apt-get install" \
    "debootstrap\`"
if [ -z "$folder" ]; then
  folder=$(mktemp -d /var/tmp/assay_bare.XXXXXX)
else
  mkdir -p "$folder" || Fail 2 "cannot make the folder \`$folder\`"
  folder=$(cd "$folder" && pwd -P)
fi

# Removes what this script made, and nothing that is mounted there.
Remove() {
  [ -z "$keep" ] || return 0
  if grep -q -F " $folder/" /proc/self/mountinfo; then
    echo "warning: \`$folder\` is kept: something is mounted in it" >&2
  else
    rm -rf --one-file-system "$folder"
  fi
}
trap Remove EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Copies files of this machine's configuration that exist. What is there already
# is deleted first: it may be a link, through which `cp` would write to this
# machine.
Copy() {
  for file do
    [ -e "$file" ] || continue
    rm -rf "$folder$file"
    mkdir -p "$folder$(dirname "$file")"
    cp -RL "$file" "$folder$file" ||
      echo "warning: not all of \`$file\` could be copied" >&2
  done
}

if [ -z "$made" ]; then
  . "$repository/ci/third_party/debian/apt.sh"
  mirror=$(Mirrors | head -n 1)
  release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  echo "making Debian $release from $mirror in $folder" >&2
  debootstrap --variant=minbase --include=ca-certificates "$release" \
    "$folder" "$mirror" > "$folder.log" 2>&1 || {
    tail -n 5 "$folder.log" >&2
    keep=yes
    Fail 5 "\`debootstrap\` failed; its messages are in $folder.log"
  }
  rm -f "$folder.log"
  rm -rf "$folder/etc/apt/sources.list" "$folder/var/lib/apt/lists"
  mkdir -p "$folder/var/lib/apt/lists/partial"
  # The certificates, too: this machine may trust a proxy of its own.
  Copy /etc/apt /usr/share/keyrings /etc/ssl/certs /etc/resolv.conf \
    /etc/hosts /etc/pip.conf
  mkdir -p "$folder/home/bare"
  git clone --quiet --no-local --no-checkout "$repository" "$folder/assay" ||
    Fail 5 "\`git clone\` failed"
  git -C "$folder/assay" checkout --quiet --detach "$commit" ||
    Fail 5 "the clone has no commit \`$commit\`"
  echo "made by ci/checks/bare_chroot.sh" > "$folder/$marker"
fi

# Settings that reach the network, and those of this project; nothing else of
# the environment.
settings="HOME=/home/bare TERM=${TERM:-dumb} LANG=C.UTF-8
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY \
  SSL_CERT_FILE SSL_CERT_DIR PIP_CERT PIP_INDEX_URL REQUESTS_CA_BUNDLE \
  NODE_EXTRA_CA_CERTS ASSAY_DEBIAN_MIRROR; do
  eval "value=\${$name:-}"
  [ -z "$value" ] || settings="$settings $name=$value"
done

# The mounts are in a namespace of their own; all processes, such as the server
# of Bazel, end with the first one. The folder becomes the root of the namespace:
# after `chroot`, Linux allows no user namespaces, which Bazel's sandbox needs.
status=0
FOLDER=$folder SETTINGS=$settings unshare --mount --pid --fork --kill-child \
  --propagation private sh -c '
    set -eu
    mount --bind "$FOLDER" "$FOLDER"
    cd "$FOLDER"
    mount -t proc proc proc
    mount -t sysfs -o ro sysfs sys
    mount -t tmpfs -o size=50% tmpfs dev/shm
    mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
    pivot_root . mnt
    cd /assay
    umount --lazy /mnt
    exec /usr/bin/env -i $SETTINGS "$@"' sh "$@" || status=$?
echo "$folder has $(du -shx "$folder" | cut -f 1)" >&2
exit "$status"
