# Functions that use the host's apt, for fetch.sh and relock.sh.
#
# apt is only used to download files. The functions install nothing. Of the
# state of the host's package manager they read only its configuration: mirrors,
# proxies and transport settings.

# Prints an error message and exits with status 1.
Fail() {
  echo "debian packages: $*" >&2
  exit 1
}

RequireApt() {
  command -v apt-get >/dev/null 2>&1 || Fail "\`apt-get\` is not on this" \
    "machine; the build fetches its compiler and libraries through apt," \
    "so run it on Debian or a system derived from it"
  command -v dpkg-deb >/dev/null 2>&1 || Fail "\`dpkg-deb\` is not on this" \
    "machine; install the package \`dpkg\`"
}

# Prints the archive URIs to try, one per line, in order of preference: the
# value of ASSAY_DEBIAN_MIRROR if it is set, else the mirrors in the host's
# sources. The releases in these sources do not matter, because every Debian
# mirror has bookworm.
Mirrors() {
  if [ -n "${ASSAY_DEBIAN_MIRROR:-}" ]; then
    echo "${ASSAY_DEBIAN_MIRROR%/}"
    return
  fi
  apt-get indextargets --no-release-info \
      --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' \
      2>/dev/null |
    awk '$3 == "main" && $2 !~ /-security$/ && $2 !~ /-security\// &&
         $1 !~ /-security\/?$/ { sub(/\/$/, "", $1); if (!seen[$1]++) print $1 }'
}

# Prints the folder that caches downloads for all builds and clones.
CacheFolder() {
  if [ -n "${ASSAY_CACHE:-}" ]; then
    echo "$ASSAY_CACHE/debian"
  elif [ -n "${XDG_CACHE_HOME:-}" ]; then
    echo "$XDG_CACHE_HOME/assay/debian"
  elif [ -n "${HOME:-}" ]; then
    echo "$HOME/.cache/assay/debian"
  else
    Fail "neither HOME, XDG_CACHE_HOME nor ASSAY_CACHE is set, so there is" \
      "no folder to keep downloads in; set one of them"
  fi
}

Sha256Of() {
  sha256sum "$1" | cut -d' ' -f1
}
