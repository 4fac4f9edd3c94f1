/// What pages of pictures show: a line on top, and for each creative a picture and what is said of it.
package struct ContactPlan: Sendable, Codable {
  /// How something is meant.
  package enum Tone: String, Sendable, Codable {
    case good, bad, plain
  }

  /// One creative's.
  package struct Cell: Sendable, Codable {
    package let name: String
    /// In a word, and how that is meant.
    package let verdict: String
    package let tone: Tone
    /// What else is said, a line each.
    package let lines: [String]
    /// Paths of pictures, the best first: the first that shows something is taken.
    package let pictures: [String]

    package init(name: String, verdict: String, tone: Tone, lines: [String], pictures: [String]) {
      (self.name, self.verdict, self.tone, self.lines, self.pictures) = (name, verdict, tone, lines, pictures)
    }
  }

  package let title: String
  /// Below the title.
  package let facts: String
  /// At the foot of every page.
  package let maker: String
  package let cells: [Cell]

  package init(title: String, facts: String, maker: String, cells: [Cell]) {
    (self.title, self.facts, self.maker, self.cells) = (title, facts, maker, cells)
  }
}
