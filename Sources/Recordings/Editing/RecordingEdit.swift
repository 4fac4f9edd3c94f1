package import Core

/// Changes of a recording that a person asks for.
package enum RecordingEdit {
  /// Sets the status of a request's response.
  package static func set(status: Int, of index: Int, in folder: RecordingFolder) throws(Fault) {
    try change(index, in: folder) { exchange throws(Fault) in
      exchange.response = exchange.response ?? Exchange.Response(status: status)
      exchange.response?.status = status
      exchange.response?.reason = ""
      exchange.failure = nil
    }
  }

  /// Sets the body of a request's response, which comes at once then.
  package static func set(body: [UInt8], of index: Int, in folder: RecordingFolder) throws(Fault) {
    try change(index, in: folder) { exchange throws(Fault) in
      var response = exchange.response ?? Exchange.Response(status: 200)
      response.content = try folder.keep(body, mimeType: response.content?.mimeType ?? "")
      response.wireSize = body.count
      response.pieces = nil
      exchange.response = response
      exchange.failure = nil
    }
  }

  /// Leaves out what was asked of hosts that a pattern names; how many requests that were.
  @discardableResult
  package static func drop(host: String, from folder: RecordingFolder) throws(Fault) -> Int {
    let exchanges = try folder.exchanges()
    let kept = exchanges.filter { !Glob.matches(host, RequestAddress($0.url).host) }
    try folder.replace(renumbered(kept))
    return exchanges.count - kept.count
  }

  /// Adds rules of matching.
  package static func add(_ rules: [MatchRule], to folder: RecordingFolder) throws(Fault) {
    let there = try folder.rules()
    try folder.write(there + rules.filter { !there.contains($0) })
  }

  /// Adds another recording's requests behind one's own, and its rules.
  package static func add(_ other: RecordingFolder, to folder: RecordingFolder) throws(Fault) {
    var exchanges = try folder.exchanges()
    for exchange in try other.exchanges() {
      for content in [exchange.requestBody, exchange.response?.content].compactMap(\.self) {
        try folder.take(content, from: other)
      }
      exchanges.append(exchange)
    }
    guard exchanges.count <= RecordingFolder.mostExchanges else {
      throw .request("recording-too-large", "together they have more than \(RecordingFolder.mostExchanges) requests")
    }
    try folder.replace(renumbered(exchanges))
    try add(try other.rules(), to: folder)
    if folder.conditions == nil, let conditions = other.conditions { try folder.write(conditions) }
  }

  private static func renumbered(_ exchanges: [Exchange]) -> [Exchange] {
    exchanges.enumerated().map { number, exchange in
      var exchange = exchange
      exchange.index = number
      return exchange
    }
  }

  private static func change(
    _ index: Int, in folder: RecordingFolder, _ change: (inout Exchange) throws(Fault) -> Void
  ) throws(Fault) {
    var exchanges = try folder.exchanges()
    guard let place = exchanges.firstIndex(where: { $0.index == index }) else {
      throw .request("recording-entry-missing", "the recording has requests 0 to \(exchanges.count - 1), and no \(index)")
    }
    try change(&exchanges[place])
    try folder.replace(exchanges)
  }
}
