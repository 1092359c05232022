# Sourced by fetch.sh and relock.sh: what both know about the host's apt.
#
# The host's apt is used as a downloader only. Nothing is installed, no state
# of the host's package manager is read or written except its configuration:
# the mirrors it names, and its proxy and transport settings.

# Prints one sentence and gives up.
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

# Prints the archive URIs to try, one a line, best first: what
# ASSAY_DEBIAN_MIRROR names, else the mirrors of the host's own sources.
# The suites of the host do not matter: every Debian mirror carries bookworm.
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

# The folder that keeps downloads between builds and between clones.
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
