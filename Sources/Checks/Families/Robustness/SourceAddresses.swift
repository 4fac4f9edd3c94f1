extension Check {
  static let rootRelative = Check(
    "root-relative-address", family: .robustness, severity: .warning, title: "Address from the root",
    why: "Ad servers put creatives into folders: an address that begins with a slash leads past it.",
    remedy: "Write it relative to the document: img/logo.png.", source: .cm360
  ) { evidence in
    guard !evidence.sources.isEmpty else { return nil }
    let inMarkup = evidence.passages(
      /\b(?:src|poster)\s*=\s*["']\/[^\/"'][^"']*["']/, hint: "=\"/", "='/", "= \"/", "= '/")
    let inStyle = evidence.passages(/url\(\s*["']?\/[^\/"')][^"')]*["']?\s*\)/, hint: "url(/", "url(\"/", "url('/")
    return evidence.remarks(at: inMarkup + inStyle, subject: \.address) { "\($0.address) begins at the server's root" }
  }

  static let localAddress = Check(
    "local-address", family: .robustness, severity: .error, title: "Address of the author's machine",
    why: "file: addresses and drive letters lead nowhere on anybody else's device.",
    remedy: "Write addresses relative to the document.", source: .cm360
  ) { evidence in
    guard !evidence.sources.isEmpty else { return nil }
    let passages = evidence.passages(/["'(](?:file:\/\/\/|[A-Z]:\\)[^"')]+/, hint: "file:///", ":\\")
    return evidence.remarks(at: passages, subject: \.address) { "\($0.address) is on the author's machine" }
  }
}

extension Evidence.Passage {
  /// What stands between the quotes or brackets.
  fileprivate var address: String {
    let start = text.firstIndex { "\"'(".contains($0) }.map(text.index(after:)) ?? text.startIndex
    return text[start...].filter { !"\"')( ".contains($0) }
  }
}
