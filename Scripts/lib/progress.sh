# Long work told in a few lines; what it prints itself goes to a log. Sourced by setup.sh.

# Runs a command: `follow NAME LOG command…`. The function `NAME_progress` turns a line of the command's into words for
# $passed, where there is something to tell. A terminal has one line that is redrawn, a file one in a while.
follow() {
  local name=$1 log=$2
  shift 2
  mkdir -p "$(dirname "$log")"
  "$@" </dev/null 2>&1 9>&- | tell "$name" "$log"
  return "${PIPESTATUS[0]}"
}

tell() {
  local name=$1 log=$2 line='' part began=$SECONDS told=-100 passed='' shown='' code between=15
  # For the function to count in.
  local -A counted=()
  [[ ! -t 2 ]] || between=1
  : >"$log"
  while true; do
    code=0
    IFS= read -r -t "$between" part || code=$?
    line+=$part
    # Beyond 128 the time is over and the line may go on; otherwise it is the end.
    if (( code <= 128 )); then
      [[ -z $line && code -ne 0 ]] || printf '%s\n' "$line" >>"$log"
      "${name}_progress" "$line" || true
      line=
    fi
    if (( SECONDS - told >= between )) && [[ $passed ]]; then
      told=$SECONDS
      show "$passed, $(elapsed $(( SECONDS - began )))"
    fi
    (( code == 0 || code > 128 )) || break
  done
  [[ ! $shown || ! -t 2 ]] || printf '\r\033[K' >&2
}

show() {
  shown=yes
  if [[ -t 2 ]]; then printf '\r\033[Kgalley: %.*s' $(( ${COLUMNS:-80} - 9 )) "$1" >&2; else say "$1"; fi
}

elapsed() { printf '%d:%02d min' $(( $1 / 60 )) $(( $1 % 60 )); }

# What a failed command printed last, and where the rest is.
tell_failure() {
  tail --lines "${2:-40}" "$1" >&2
  say "all that it printed is in $1"
}
