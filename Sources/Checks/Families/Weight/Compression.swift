internal import Jobs

extension Check {
  static let uncompressedText = Check(
    "uncompressed-text", family: .weight, severity: .warning, title: "Text sent uncompressed",
    why: "Compressed, scripts and styles are a third of their size or less.",
    remedy: "Turn gzip or Brotli on at the server.", source: .iab
  ) { evidence in
    let sent = evidence.resources.filter { $0.origin == .network && !$0.responseHeaders.isEmpty }
    guard !sent.isEmpty else { return nil }
    var known: Set<String> = []
    return sent.filter { $0.isUncompressedText && known.insert($0.shortName).inserted }.map {
      Remark("\($0.shortName) is sent uncompressed: \(Unit.bytes.text(Double($0.bytes)))", subject: $0.shortName)
    }
  }
}

extension MeasuredResource {
  /// Text above what fits into a packet or two, without an encoding.
  fileprivate var isUncompressedText: Bool {
    let isText =
      type.hasPrefix("text/") || type.hasSuffix("javascript") || type.hasSuffix("json") || type.hasSuffix("xml")
    return isText && failure == nil && bytes > 3_000
      && !responseHeaders.contains { $0.name.lowercased() == "content-encoding" }
  }
}
