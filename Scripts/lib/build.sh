# Building the release when a source has changed. Sourced by setup.sh.

# What a proof takes, and what serving takes besides, as products of Package.swift.
proof=(galley galley-enclosure galley-worker galley-fork-client GalleyClock GalleyForkServer GalleyGuard GalleyWebExtension)
server=(galley-server)

# Builds the release unless it is newer than every source; with `server` the server's program as well.
require_release() {
  local part
  for part in proof "$@"; do
    part_is_current "$part" && continue
    lock
    # Whoever held the lock may have built it.
    part_is_current "$part" || build_part "$part"
    unlock
  done
}

# The same, unless the arguments name another build with --galley or only ask for help.
require_release_unless_named() { named --galley "$@" || require_release; }
require_server_unless_named() { named --galley "$@" || require_release server; }

# Whether an option is among the arguments, or they only ask for help.
named() {
  local option=$1 argument
  shift
  for argument in "$@"; do
    case $argument in "$option" | "$option"=* | --help | -h) return ;; esac
  done
  return 1
}

# Whether the release is there, and with `server` the server's program as well.
release_is_current() {
  local part
  for part in proof "$@"; do part_is_current "$part" || return 1; done
}

# A look at change times is all that a call costs; where some are newer, as after a clone beside a restored build, the
# sources' contents decide.
part_is_current() {
  local product changed stamp=$build/$1.stamp
  local -n products=$1
  for product in "${products[@]}"; do
    [[ -e $build/release/$product || -e $build/release/lib$product.so ]] || return 1
  done
  [[ -f $stamp && $(head --lines 1 "$stamp") == "$(release_key)" ]] || return 1
  changed=$(find "$root/Sources" "$root/Package.swift" -cnewer "$stamp" -print -quit 2>/dev/null)
  [[ $changed ]] || return 0
  [[ $(tail --lines 1 "$stamp") == "$(sources_digest)" ]] && { touch "$stamp" 2>/dev/null || true; }
}

# What a release depends on beside its sources: the versions of its packages, and this way of building it.
# A clone beside a restored build has no versions of its own yet: those of the build count.
release_key() {
  local resolved=$root/Package.resolved
  [[ -e $resolved ]] || resolved=$build/release.resolved
  cat "$root/Scripts/lib/build.sh" "$root/Scripts/lib/tables.py" "$resolved" 2>/dev/null | cksum || true
}

# Of the contents and names of all sources.
sources_digest() {
  (cd "$root" && find Sources Package.swift -type f -print0 | LC_ALL=C sort --zero-terminated | xargs --null sha256sum) |
    sha256sum
}

build_part() {
  require_swift
  local begun=$build/$1.begun stamp=$build/$1.stamp digest product word words=()
  local -n products=$1
  : >"$begun"
  digest=$(sources_digest)
  say "building the release in $build; the first time takes some minutes"
  while read -r word; do words+=(-Xlinker "$word"); done < <(tables)
  # With Swift's own libraries inside, a program starts in two thirds of the time and needs no Swift where it runs.
  for product in "${products[@]}"; do
    swift build --package-path "$root" --scratch-path "$build" --configuration release --static-swift-stdlib \
      "${words[@]}" --product "$product" </dev/null >&2 9>&- ||
      fail "the build failed"
  done
  # Dated from before the build, so that an edit made meanwhile isn't missed.
  cp "$root/Package.resolved" "$build/release.resolved" 2>/dev/null || true
  { release_key && printf '%s\n' "$digest"; } >"$stamp.new"
  touch --reference "$begun" "$stamp.new"
  mv "$stamp.new" "$stamp"
}

# Prints the linker's words for smaller tables of the world's languages; without them programs work, and are larger.
tables() {
  ! command -v python3 >/dev/null || python3 "$root/Scripts/lib/tables.py" "$build" || true
}

# Fails unless there is a Swift that can read Package.swift.
require_swift() {
  local needs="Galley needs Swift 6.2 or later: https://www.swift.org/install/linux" version
  command -v swift >/dev/null || fail "no swift on the PATH; $needs"
  version=$(swift --version 2>/dev/null </dev/null) || version=
  [[ $version =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]] || fail "$(command -v swift) doesn't run; $needs"
  (( BASH_REMATCH[1] > 6 || BASH_REMATCH[1] == 6 && BASH_REMATCH[2] >= 2 )) ||
    fail "$(command -v swift) is ${BASH_REMATCH[0]}; $needs"
}
