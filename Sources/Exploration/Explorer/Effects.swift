internal import Jobs
internal import MRAID

/// What came of an act, in words; the same for the same log.
struct Effects {
  let words: [String]
  /// Whether anything at all could be noticed, by the ad, the host or a person.
  var isNothing: Bool { words.isEmpty }

  init(_ result: TrialResult) {
    var words: [String] = []
    for event in result.news where event.isEffect {
      if let word = Self.word(for: event), !words.contains(word) { words.append(word) }
    }
    if let before = result.before, let after = result.after {
      if !before.hasSamePage(as: after) { words.append("the page changed") }
      if words.isEmpty, result.looksTheSame == false { words.append("the picture changed") }
    }
    self.words = words
  }

  /// Calls by their name, what leads out by its kind; the container's own consequences of those say nothing new.
  private static func word(for event: Event) -> String? {
    switch (event.source, event.name) {
    case (.creative, let name): "\(name)()"
    case (.page, let name): name
    case (.mraid, "error"), (.mraid, "ignored"), (.mraid, "premature"): event.name
    case (.mraid, let name): name
    case (.modal, let name): name
    case (.host, let name), (.ad, let name), (.vast, let name), (.feed, let name): name
    case (.input, _), (.network, _): nil
    }
  }
}
