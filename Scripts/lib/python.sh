# Python programs that take packages of PyPI's. Each has them in an environment of its own in the build folder.

# Leaves in $venv the environment that has what Scripts/lib/NAME/requirements.txt names, after installing what is missing.
require_python() {
  local requirements=$root/Scripts/lib/$1/requirements.txt
  venv=$build/$1/venv
  ! cmp --silent "$requirements" "$venv/requirements.txt" || return 0
  say "installing $(sed --quiet 's/^\([A-Za-z0-9_.-]\+\).*/\1/p' "$requirements" | paste --serial --delimiters ' ') in $venv"
  # Debian's own python3, whose venv module the package list has.
  /usr/bin/python3 -m venv --clear "$venv" >&2
  "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$requirements" >&2
  cp "$requirements" "$venv/requirements.txt"
}
