/// Content of contact sheet pages: a heading, and an image with text for each creative.
package struct ContactPlan: Sendable, Codable {
  /// Tone of a verdict.
  package enum Tone: String, Sendable, Codable {
    case good, bad, plain
  }

  /// Content for one creative.
  package struct Cell: Sendable, Codable {
    package let name: String
    /// Verdict in a word, with its tone below.
    package let verdict: String
    package let tone: Tone
    /// Further lines of text.
    package let lines: [String]
    /// Paths of images, the best first; the first one with visible content is used.
    package let pictures: [String]

    package init(name: String, verdict: String, tone: Tone, lines: [String], pictures: [String]) {
      (self.name, self.verdict, self.tone, self.lines, self.pictures) = (name, verdict, tone, lines, pictures)
    }
  }

  package let title: String
  /// Text below the title.
  package let facts: String
  /// Text at the foot of every page.
  package let maker: String
  package let cells: [Cell]

  package init(title: String, facts: String, maker: String, cells: [Cell]) {
    (self.title, self.facts, self.maker, self.cells) = (title, facts, maker, cells)
  }
}
