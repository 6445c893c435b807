#!/bin/sh
# The tests of the browser table drive Debian's Chromium: get it if it is not there.
command -v chromium >/dev/null && exit 0
echo "installing chromium for the tests of the browser table"
if [ "$(id -u)" = 0 ]; then as_root=""; else as_root="sudo"; fi
$as_root apt-get install -y --no-install-recommends chromium >/dev/null 2>&1 \
  || { $as_root apt-get update >/dev/null 2>&1 && $as_root apt-get install -y --no-install-recommends chromium >/dev/null 2>&1; } \
  || { echo "chromium cannot be installed: tests/browser needs it"; exit 1; }
