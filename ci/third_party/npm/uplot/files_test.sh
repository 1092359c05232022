#!/bin/sh
# Compares the files of this folder with their digests.
set -eu
cd ci/third_party/npm/uplot
sha256sum -c files.sha256
