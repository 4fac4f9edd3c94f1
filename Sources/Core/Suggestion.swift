/// Finds the word that a user probably meant.
package enum Suggestion {
  /// The closest of `words` within two edits (one for words of up to three letters), the first of equals.
  package static func nearest(to word: String, among words: [String]) -> String? {
    let allowed = word.count <= 3 ? 1 : 2
    let scored = words.map { (word: $0, slips: slips(from: word.lowercased(), to: $0.lowercased())) }
    return scored.filter { $0.slips <= allowed }.min { $0.slips < $1.slips }?.word
  }

  /// The words that begin with `word`, or else the nearest: `prebid-android` and `prebid-ios` for `prebid`.
  package static func likely(for word: String, among words: [String]) -> [String] {
    let begun = words.filter { word.count > 1 && $0.hasPrefix(word.lowercased()) }
    return begun.isEmpty ? nearest(to: word, among: words).map { [$0] } ?? [] : begun
  }

  /// `; did you mean tap?`, or an empty text if no word is near.
  package static func hint(for word: String, among words: [String]) -> String {
    nearest(to: word, among: words).map { "; did you mean \($0)?" } ?? ""
  }

  /// Number of letters added, dropped, changed or swapped with their neighbour (optimal string alignment distance).
  package static func slips(from: some StringProtocol, to: some StringProtocol) -> Int {
    let a = Array(from.prefix(64))
    let b = Array(to.prefix(64))
    var rows = [Array(0...b.count)]
    for (i, letter) in a.enumerated() {
      var row = [i + 1]
      for (j, other) in b.enumerated() {
        var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == other ? 0 : 1))
        if i > 0, j > 0, letter == b[j - 1], a[i - 1] == other { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
