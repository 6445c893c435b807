#!/bin/sh
# What the tests need of the system: Debian's Chromium for the browser table, PostgreSQL for a club's server.
# Without Chromium there is no test of the browser table; without PostgreSQL its tests are passed over, and say so.
missing=""
command -v chromium >/dev/null || missing="chromium"
command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql"
[ -n "$missing" ] || exit 0
echo "installing for the tests: $missing"
if [ "$(id -u)" = 0 ]; then as_root=""; else as_root="sudo"; fi
install() { DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y --no-install-recommends $missing >/dev/null 2>&1; }
install || { $as_root apt-get update >/dev/null 2>&1; install; }
command -v chromium >/dev/null || { echo "chromium cannot be installed: tests/browser needs it"; exit 1; }
