# Set-up shared by the programs in Scripts/; source it after `set -euo pipefail`. Leaves the checkout in $root.
# A step that has been done leaves a stamp in the build folder, and looking at the stamp is all that a next run costs.
# Everything here talks on standard error: standard output belongs to the program that is started.

root=$(readlink -f "${BASH_SOURCE[0]%/*}/../..")
build=${GALLEY_BUILD_DIR:-$root/.build}

source "$root/Scripts/lib/progress.sh"
source "$root/Scripts/lib/packages.sh"
source "$root/Scripts/lib/python.sh"
source "$root/Scripts/lib/build.sh"

say() { printf 'galley: %s\n' "$*" >&2; }

# Says why, and ends with Galley's exit code for a broken engine.
fail() {
  say "$*"
  exit 3
}

# Makes the build folder and holds its lock, on descriptor 9, until `unlock` or exit.
lock() {
  { mkdir -p "$build" && : >>"$build/setup.lock"; } 2>/dev/null ||
    fail "can't write to $build: make it writable, or name another folder in GALLEY_BUILD_DIR"
  exec 9>>"$build/setup.lock"
  flock --nonblock 9 && return
  say "waiting for another set-up in $build"
  flock 9
}

unlock() { exec 9>&-; }
