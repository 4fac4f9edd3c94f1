internal import MRAID

extension Evidence {
  /// Something that stands in the creative's own code.
  struct Passage {
    let text: String
    let place: Finding.Place
  }

  /// The creative's own documents, scripts and styles; whatever it brings as `mraid.js` never runs.
  var sources: [SourceText] {
    inventory?.files.compactMap { file in
      guard !MRAIDScriptRequest.matches(file.path) else { return nil }
      return file.text.map { SourceText(path: file.path, text: $0) }
    } ?? []
  }

  /// Places where a pattern stands; files without `hint` aren't searched, which matters in large scripts.
  func passages(_ pattern: Regex<some Any>, hint: String) -> [Passage] {
    sources.filter { $0.text.contains(hint) }.flatMap { source in
      source.text.matches(of: pattern).prefix(50).map {
        Passage(text: String(source.text[$0.range]), place: source.place(of: $0.range.lowerBound))
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
