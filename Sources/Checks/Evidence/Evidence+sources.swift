extension Evidence {
  /// Something that stands in the creative's own code.
  struct Passage {
    let text: String
    let place: Finding.Place
    /// What stands just before it.
    let before: String
  }

  /// The creative's own code, comments blanked out.
  var sources: [SourceText] { inventory?.sources ?? [] }

  /// Places where a pattern stands; files without any of the hints aren't searched, which matters in large scripts.
  ///
  /// A word ends at a dot here, as it does in code and doesn't in Unicode's own sense.
  func passages(_ pattern: Regex<some Any>, hint: String...) -> [Passage] {
    let pattern = pattern.wordBoundaryKind(.simple)
    return sources.filter { source in hint.contains { source.text.contains($0) } }.flatMap { source in
      source.text.matches(of: pattern).prefix(50).map {
        Passage(
          text: String(source.text[$0.range]), place: source.place(of: $0.range.lowerBound),
          before: String(source.text[..<$0.range.lowerBound].suffix(200)))
      }
    }
  }

  /// A remark for each thing found, at its first place.
  func remarks(at passages: [Passage], subject: (Passage) -> String, message: (Passage) -> String) -> [Remark] {
    var known: Set<String> = []
    return passages.compactMap { passage in
      let name = subject(passage)
      guard known.insert(name).inserted else { return nil }
      return Remark(message(passage), subject: name, place: passage.place)
    }
  }
}
