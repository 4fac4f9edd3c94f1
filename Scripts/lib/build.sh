# Building the release when a source has changed. Sourced by setup.sh.

# What a proof takes, and what serving, filming and recording take besides, as products of Package.swift.
proof=(galley galley-enclosure galley-worker galley-fork-client GalleyClock GalleyForkServer GalleyGuard GalleyWebExtension)
server=(galley-server)
film=(galley-film)
recorder=(galley-recorder)

# With Swift's own libraries inside, a program starts in two thirds of the time and needs no Swift where it runs.
# What debuggers read costs a tenth of the build; functions' names stay without it.
build_words=(
  swift build --package-path "$root" --scratch-path "$build" --configuration release --static-swift-stdlib
  -debug-info-format none
  # SwiftPM begins modules in the order of their names. With more at once, those that others wait for come sooner.
  --jobs $(( $(nproc) + 2 ))
)

# Builds the release unless it is newer than every source; with `server`, `film` or `recorder` that program as well.
require_release() {
  local stale=()
  end_begun
  look_at proof "$@"
  (( ${#stale[@]} > 0 )) || return 0
  lock
  # Whoever held the lock may have built it.
  look_at proof "$@"
  (( ${#stale[@]} == 0 )) || build_parts "${stale[@]}"
  unlock
}

# Says what a call needs that has to be built, before anything is installed or built for it.
tell_needs() {
  local -A programs=(
    [proof]="galley and its worker" [server]="the server" [film]="the program that encodes films and pictures"
    [recorder]="the program that records the network"
  )
  local part needed=
  look_at proof "$@"
  for part in "${stale[@]}"; do needed+=${needed:+, }${programs[$part]}; done
  [[ ! $needed ]] || say "this call needs $needed, to be built now: the first time takes minutes, on two cores up to half an hour"
}

# Leaves in $stale which of the parts have to be built.
look_at() {
  local part
  stale=()
  for part in "$@"; do part_is_current "$part" || stale+=("$part"); done
}

# The same, unless the arguments name another build with --galley or only ask for help.
require_release_unless_named() { named --galley "$@" || require_release; }
require_server_unless_named() { named --galley "$@" || { require_packages server-build && require_release server; }; }
require_recorder_unless_named() { named --galley "$@" || { require_packages recorder-build && require_release recorder; }; }
require_film_unless_named() { named --galley "$@" || require_release film; }

# Whether an option is among the arguments, or they only ask for help.
named() {
  local option=$1 argument
  shift
  for argument in "$@"; do
    case $argument in "$option" | "$option"=* | --help | -h) return ;; esac
  done
  return 1
}

# Whether the release is there, and with `server`, `film` or `recorder` that program as well.
release_is_current() {
  local part
  for part in proof "$@"; do part_is_current "$part" || return 1; done
}

# A look at change times is all that a call costs; where some are newer, as after a clone beside a restored build, the
# sources' contents decide.
part_is_current() {
  local product changed digest stamp=$build/$1.stamp
  local -n products=$1
  for product in "${products[@]}"; do
    [[ -e $build/release/$product || -e $build/release/lib$product.so ]] || return 1
  done
  [[ -f $stamp && $(head --lines 1 "$stamp") == "$(way_digest)" ]] || return 1
  # Packages may have come since that others need; those it was built of are still the same.
  [[ ! $(LC_ALL=C comm -23 <(pins_of "$stamp") <(pins)) ]] || return 1
  # A stamp that isn't of the time it names came with a restored build, and sources may have been here before it.
  changed=restored
  [[ $(sed --quiet 3p "$stamp") != "$(time_of "$stamp")" ]] ||
    changed=$(find "$root/Sources" "$root/Package.swift" -cnewer "$stamp" -print -quit 2>/dev/null)
  [[ $changed ]] || return 0
  : 2>/dev/null >"$build/$1.begun" || true
  digest=$(sources_digest)
  [[ $(sed --quiet 2p "$stamp") == "$digest" ]] || return 1
  # The packages stay those it was built of.
  { [[ ! -w $build/$1.begun ]] || write_stamp "$1" "$digest" "$(pins_of "$stamp")"; } 2>/dev/null || true
}

# What a part was built of: the way, the sources, the stamp's own time, the packages. It is dated from before the sources
# were read, so that an edit made meanwhile isn't missed.
write_stamp() {
  local begun=$build/$1.begun stamp=$build/$1.stamp
  { way_digest && printf '%s\n' "$2" "$(time_of "$begun")" "$3"; } >"$stamp.new"
  touch --reference "$begun" "$stamp.new"
  mv "$stamp.new" "$stamp"
}

pins_of() { tail --lines +4 "$1"; }

time_of() { stat --format %.9Y "$1"; }

# Of this way of building a release.
way_digest() { cat "$root/Scripts/lib/build.sh" "$root/Scripts/lib/tables.py" | sha256sum; }

# Of the contents and names of all sources.
sources_digest() {
  (cd "$root" && find Sources Package.swift -type f -print0 | LC_ALL=C sort --zero-terminated | xargs --null sha256sum) |
    sha256sum
}

# Prints the packages that a build takes, each with its revision.
# A clone beside a restored build has none of its own yet: those of the build count.
pins() {
  local resolved=$root/Package.resolved
  [[ -e $resolved ]] || resolved=$build/release.resolved
  sed --quiet 's/.*"\(identity\|revision\)" : "\(.*\)".*/\2/p' "$resolved" 2>/dev/null | paste - - | LC_ALL=C sort
}

# Begins, beside others' work, what a release takes and no system package has to be there for: the Swift packages are
# fetched and compiled. What it misses or has no time for, the build itself does.
begin_build() {
  local log=$build/logs/ahead.log
  mkdir -p "$build/logs"
  restore_pins
  # A shell without job control has what it starts so ignore interrupts.
  set -m
  GALLEY_WITHOUT=film,recorder,server,packages,system nice "${build_words[@]}" >"$log" 2>&1 </dev/null 9>&- &
  ahead=$!
  set +m
  trap end_begun EXIT
}

# SwiftPM forgets what it has built when it is ended itself, and keeps it when a compiler fails.
end_begun() {
  [[ ${ahead-} ]] || return 0
  local patience=100 compiler
  while kill -0 "$ahead" 2>/dev/null && (( patience-- )); do
    for compiler in $(leaves_of "$ahead"); do
      [[ $compiler == "$ahead" ]] || kill "$compiler" 2>/dev/null || true
    done
    sleep 0.1
  done
  kill -INT "$ahead" 2>/dev/null || true
  wait "$ahead" || true
  ahead=
}

# Prints the last of the processes that come of one: itself where it has started none.
leaves_of() {
  local children child
  children=$(cat "/proc/$1"/task/*/children 2>/dev/null) || true
  [[ $children ]] || printf '%s\n' "$1"
  for child in $children; do leaves_of "$child"; done
}

# A clone beside a restored build goes on with the versions of that.
restore_pins() {
  [[ -e $root/Package.resolved ]] || cp "$build/release.resolved" "$root/Package.resolved" 2>/dev/null || true
}

build_parts() {
  require_swift
  local began=$SECONDS digest word part words=("${build_words[@]}")
  while read -r word; do words+=(-Xlinker "$word"); done < <(tables)
  for part in "$@"; do : >"$build/$part.begun"; done
  digest=$(sources_digest)
  restore_pins
  say "building the release in $build; the first time takes some minutes, later calls begin at once"
  # One call for all keeps the processors busy.
  case $1 in
    proof) build_by release env GALLEY_WITHOUT="$(unwanted "$@")" "${words[@]}" ;;
    *)
      for part in "$@"; do
        build_by "$part" env GALLEY_WITHOUT="$(unwanted "$@")" "${words[@]}" --product "galley-$part"
      done
      ;;
  esac
  say "built in $(elapsed $(( SECONDS - began )))"
  cp "$root/Package.resolved" "$build/release.resolved" 2>/dev/null || true
  for part in "$@"; do write_stamp "$part" "$digest" "$(pins)"; done
}

# Prints what Package.swift is to leave out where only these parts are built.
unwanted() {
  local out=
  [[ " $* " == *" film "* ]] || out=film,
  [[ " $* " == *" recorder "* ]] || out+=recorder,
  # Where the server's packages have been fetched they stay.
  [[ " $* " == *" server "* ]] || { out+=server, && [[ $(pins) == *hummingbird* ]] || out+=packages,; }
  printf '%s' "${out%,}"
}

build_by() {
  local log=$build/logs/$1.log
  shift
  follow build "$log" "$@" || { tell_failure "$log" && fail "the build failed"; }
}

# What a line of SwiftPM's tells.
build_progress() {
  if [[ $1 =~ ^\[([0-9]+)/([0-9]+)\]\ (Compiling|Emitting\ module|Linking)\ ([^ ]+) ]]; then
    passed="${BASH_REMATCH[3]/Emitting module/Compiling} ${BASH_REMATCH[4]}"
    passed+=", ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} steps"
  elif [[ $1 == Fetching\ * ]]; then
    passed="fetching the Swift package ${1##*/}"
  fi
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
