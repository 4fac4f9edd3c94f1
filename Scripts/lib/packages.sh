# System packages: which are missing, and their installation. Sourced by setup.sh.

packages_file=$root/Scripts/packages.txt

# Installs what is missing of the groups named; a stamp newer than dpkg's last change says that nothing is.
require_packages() {
  local IFS=-
  local stamp=$build/packages-$*.stamp
  unset IFS
  [[ -f $stamp && $stamp -nt $packages_file && ! /var/lib/dpkg/status -nt $stamp ]] && return
  packages_are_installed "$@" || {
    lock
    install_packages "$@"
    unlock
  }
  { mkdir -p "$build" && : >"$stamp"; } 2>/dev/null || true
}

# Prints the packages of the groups named, one entry a line.
packages_of() {
  local group package
  while read -r group package; do
    [[ " $* " != *" $group "* ]] || printf '%s\n' "$package"
  done <"$packages_file"
}

packages_are_installed() {
  local missing
  missing=$(missing_of "$@") && [[ -z $missing ]]
}

install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "no apt here, so nothing is installed; Galley needs what Debian calls $(packages_of "$@" | tr '\n' ' ')"
    return
  fi
  local missing packages
  missing=$(missing_of "$@") || {
    update_package_lists
    missing=$(missing_of "$@") ||
      fail "apt doesn't know ${missing//$'\n'/, }, which Debian 12 has, and Ubuntu 24.04 with universe"
  }
  [[ -n $missing ]] || return 0
  mapfile -t packages <<<"$missing"
  say "installing system packages, and what these need: ${packages[*]}"
  # Where a build comes next it begins meanwhile.
  [[ ! ${builds_next-} ]] || begin_build
  local install=(install -y --no-install-recommends "${packages[@]}") log=$build/logs/apt.log
  # The lists may name versions that the mirror has dropped since.
  apt_as_root "$log" "${install[@]}" || { update_package_lists && apt_as_root "$log" "${install[@]}"; } || {
    tell_failure "$log" 15
    fail "not installed; try it as root: apt-get ${install[*]}"
  }
}

# Prints what has to be installed; fails, and prints only these, when apt doesn't know some.
missing_of() {
  local entry package installed missing=() unknown=()
  installed=$'\n'$(dpkg-query --show --showformat '${db:Status-Status} ${Package}\n' 2>/dev/null)$'\n'
  for entry in $(packages_of "$@"); do
    [[ $installed != *$'\n'"installed ${entry%%|*}"$'\n'* ]] || continue
    package=$(first_known "${entry//|/ }") || { unknown+=("${entry%%|*}") && continue; }
    [[ $installed == *$'\n'"installed $package"$'\n'* ]] || missing+=("$package")
  done
  (( ${#unknown[@]} == 0 )) || { printf '%s\n' "${unknown[@]}" && return 1; }
  (( ${#missing[@]} == 0 )) || printf '%s\n' "${missing[@]}"
}

# Prints the first of the packages named that apt could install.
first_known() {
  local package
  for package in $1; do
    [[ $(LC_ALL=C apt-cache policy "$package" 2>/dev/null) =~ Candidate:\ [^\(] ]] || continue
    printf '%s\n' "$package"
    return
  done
  return 1
}

update_package_lists() {
  say "updating apt's package lists"
  apt_as_root "$build/logs/apt-update.log" update || say "apt-get update failed; going on with the lists there are"
}

# Runs apt-get as root: directly, or by sudo, which may ask for a password only where somebody can answer.
apt_as_root() {
  local log=$1 prefix=(env DEBIAN_FRONTEND=noninteractive LC_ALL=C)
  shift
  if (( EUID != 0 )); then
    command -v sudo >/dev/null ||
      fail "system packages are missing, and this isn't root and there is no sudo; as root, run: apt-get $*"
    if { : </dev/tty; } 2>/dev/null; then prefix=(sudo "${prefix[@]}"); else prefix=(sudo -n "${prefix[@]}"); fi
  fi
  follow apt "$log" "${prefix[@]}" apt-get -q -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 "$@"
}

# What a line of apt's tells.
apt_progress() {
  case $1 in
    *" newly installed"*) [[ $1 =~ ([0-9]+)\ newly ]] && counted[all]=${BASH_REMATCH[1]} ;;
    "Need to get "*) counted[size]=${1#Need to get } counted[size]=${counted[size]%% of*} ;;
    Get:*)
      [[ ! ${counted[all]-} ]] || passed="fetched $(( counted[got] += 1 )) of ${counted[all]} packages, ${counted[size]}"
      ;;
    Unpacking*) passed="unpacked $(( counted[unpacked] += 1 )) of ${counted[all]} packages" ;;
    "Setting up"*) passed="set up $(( counted[set] += 1 )) of ${counted[all]} packages" ;;
  esac
}
