# Help without a build: what the reference has of a command, as text. Sourced by Scripts/galley.

# Whether the arguments only ask for help.
wants_help() {
  local word
  [[ ${1-} != help ]] || return 0
  for word in "$@"; do
    case $word in -h | --help) return ;; --) return 1 ;; esac
  done
  return 1
}

# Prints the path of the page of the command that the arguments name, of the list of commands for none; fails where the
# reference has no such page.
help_page() {
  local words=() page
  words_of "$@"
  page=$root/docs/reference/commands/${words[0]-README}.md
  [[ ${words[0]-} != */* && -f $page ]] && printf '%s' "$page"
}

# Prints a page as text, of a subcommand that the arguments name its section alone.
print_help() {
  local page=$1 words=()
  shift
  words_of "$@"
  awk -v section="galley ${words[*]:0:2}" -f "$root/Scripts/lib/help.awk" "$page" "$page"
}

# Leaves in $words the arguments that are no options.
words_of() {
  local word
  for word in "$@"; do case $word in help | -*) ;; *) words+=("$word") ;; esac; done
}
