# Python programs of Scripts/lib. Those that take packages of PyPI's have them in an environment in the build folder.

# What runs a program: the system's, or that of the environment that require_python leaves.
python=python3

# Leaves in $venv the environment that has what requirements.txt of a folder of Scripts/lib names, after installing what
# is missing.
require_python() {
  local requirements=$root/Scripts/lib/$1/requirements.txt
  venv=$build/python/$1
  python=$venv/bin/python
  ! cmp --silent "$requirements" "$venv/requirements.txt" || return 0
  say "installing $(sed --quiet 's/^\([A-Za-z0-9_.-]\+\).*/\1/p' "$requirements" | paste --serial --delimiters ' ') in $venv"
  # Debian's own python3, whose venv module the package list has.
  /usr/bin/python3 -m venv --clear "$venv" >&2 || fail "no environment in $venv: /usr/bin/python3 needs its venv module"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$requirements" >&2 ||
    fail "pip couldn't install what $requirements names, which takes a way to PyPI"
  cp "$requirements" "$venv/requirements.txt"
}

# Becomes a Python program: `start_python SUBJECT argument…`, with a folder of Scripts/lib or a file in one. It is told
# the checkout and the build folder.
start_python() {
  local subject=$1
  shift
  export PYTHONDONTWRITEBYTECODE=1
  exec "$python" "$root/Scripts/lib" "$subject" --root "$root" --build "$build" "$@"
}
