# Makes text of a page of docs/reference/commands, which is read twice: first to see whether it has the section alone.

function plain(text) {
  gsub(/\\\|/, "\001", text)
  gsub(/`/, "", text)
  while (match(text, /\[[^]]*\]\([^)]*\)/)) {
    link = substr(text, RSTART + 1, RLENGTH - 1)
    sub(/\].*/, "", link)
    text = substr(text, 1, RSTART - 1) link substr(text, RSTART + RLENGTH)
  }
  gsub(/&lt;/, "<", text)
  gsub(/&gt;/, ">", text)
  gsub(/\001/, "|", text)
  return text
}

NR == FNR { if ($0 == "## " section) hasSection = 1; next }
/^<!--/ || /^```/ || /^\|---/ { next }
/^## / { isOther = hasSection && $0 != "## " section; isInside = 1 }
isOther || hasSection && !isInside { next }
/^#/ { sub(/^#+ /, ""); print toupper(plain($0)); next }
/^\|/ {
  row = plain(substr($0, 3, length($0) - 4))
  cut = index(row, " | ")
  if (!cut) { print "  " row; next }
  head = substr(row, 1, cut - 1)
  rest = substr(row, cut + 3)
  if (rest == "meaning" || rest == "what it does") { print toupper(substr(head, 1, 1)) substr(head, 2) ":"; next }
  if (length(head) <= 26) printf "  %-28s%s\n", head, rest
  else printf "  %s\n%30s%s\n", head, "", rest
  next
}
{ print plain($0) }
