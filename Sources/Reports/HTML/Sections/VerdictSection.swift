internal import Checks

/// The verdict on the whole run: what a reader must see first.
struct VerdictSection {
  let tally: Tally
  let report: CheckReport

  var node: Node {
    element("header", ["class": "verdict \(tally.passes ? "passed" : "failed")"]) {
      element("h1") { tally.headline.prefix(1).uppercased() + tally.headline.dropFirst() }
      element("ul", ["class": "counts"]) {
        for (count, word, kind) in counts where count > 0 || kind == "error" {
          element("li", ["class": kind]) {
            element("b") { "\(count)" }
            " \(word)"
          }
        }
      }
    }
  }

  private var counts: [(Int, String, String)] {
    [
      (tally.errors, tally.errors == 1 ? "error" : "errors", "error"),
      (tally.warnings, tally.warnings == 1 ? "warning" : "warnings", "warning"),
      (tally.notes, tally.notes == 1 ? "note" : "notes", "note"),
      (tally.suppressed, "suppressed", "suppressed"),
      (tally.brokenChecks, tally.brokenChecks == 1 ? "broken check" : "broken checks", "broken"),
    ]
  }
}
