package import Core

/// Changes of a recording that a user orders.
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

  /// Sets the body of a request's response, which then arrives at once.
  package static func set(body: [UInt8], of index: Int, in folder: RecordingFolder) throws(Fault) {
    try change(index, in: folder) { exchange throws(Fault) in
      var response = exchange.response ?? Exchange.Response(status: 200)
      response.content = try folder.keep(body, mimeType: response.content?.mimeType ?? "")
      response.wireSize = body.count
      response.pieces = nil
      // It isn't packed, whatever was there before it.
      response.headers.removeAll { ["content-encoding", "content-length"].contains($0.name.lowercased()) }
      exchange.response = response
      exchange.failure = nil
    }
  }

  /// Removes the requests to hosts that match a pattern; returns their number.
  @discardableResult
  package static func drop(host: String, from folder: RecordingFolder) throws(Fault) -> Int {
    let exchanges = try folder.exchanges()
    let kept = exchanges.filter { !Glob.matches(host, RequestAddress($0.url).host) }
    try folder.replace(renumbered(kept))
    return exchanges.count - kept.count
  }

  /// Removes the requests to all hosts that match none of the patterns.
  package static func keep(hosts: [String], in folder: RecordingFolder) throws(Fault) {
    let kept = try folder.exchanges().filter { exchange in
      hosts.contains { Glob.matches($0, RequestAddress(exchange.url).host) }
    }
    try folder.replace(renumbered(kept))
  }

  /// Replaces all headers of a name in a request's response by one value; nil removes them.
  package static func set(header name: String, to value: String?, of index: Int, in folder: RecordingFolder)
    throws(Fault)
  {
    guard HeadWord.isToken(name), HeadWord.isValue(value ?? "") else {
      throw .request("recording-edit-invalid", "'\(name): \(value ?? "")' isn't a header")
    }
    try change(index, in: folder) { exchange throws(Fault) in
      var response = exchange.response ?? Exchange.Response(status: 200)
      let isMeant = { (line: Exchange.Header) in line.name.lowercased() == name.lowercased() }
      let place = response.headers.firstIndex(where: isMeant) ?? response.headers.count
      response.headers.removeAll(where: isMeant)
      if let value { response.headers.insert(Exchange.Header(name, value), at: min(place, response.headers.count)) }
      exchange.response = response
      exchange.failure = nil
    }
  }

  /// Adds matching rules, except those that are there already.
  package static func add(_ rules: [MatchRule], to folder: RecordingFolder) throws(Fault) {
    let there = try folder.rules()
    try folder.write(there + rules.filter { !there.contains($0) })
  }

  /// Appends the requests and the rules of another recording.
  package static func add(_ other: RecordingFolder, to folder: RecordingFolder) throws(Fault) {
    try add([other], to: folder)
  }

  /// Appends the requests and the rules of several recordings, in their order.
  package static func add(_ others: [RecordingFolder], to folder: RecordingFolder) throws(Fault) {
    guard !others.isEmpty else { return }
    var exchanges = try folder.exchanges()
    // What came at one instant keeps its order, behind what is there.
    var first = (exchanges.map(\.lastPlace).max() ?? -1) + 1
    for other in others {
      let added = try other.exchanges()
      for exchange in added {
        for content in [exchange.requestBody, exchange.response?.content].compactMap(\.self) {
          try folder.take(content, from: other)
        }
        exchanges.append(exchange.moved(by: first))
      }
      first += (added.map(\.lastPlace).max() ?? -1) + 1
      guard exchanges.count <= RecordingFolder.mostExchanges else {
        throw .request("recording-too-large", "together they have more than \(RecordingFolder.mostExchanges) requests")
      }
    }
    try folder.replace(renumbered(exchanges))
    for other in others {
      try add(try other.rules(), to: folder)
      if folder.conditions == nil, let conditions = other.conditions { try folder.write(conditions) }
    }
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
      throw .request(
        "recording-entry-missing", "the recording has requests 0 to \(exchanges.count - 1), not \(index)")
    }
    guard exchanges[place].messages == nil else {
      throw .request("recording-edit-invalid", "request \(index) is a WebSocket, which has no response to change")
    }
    try change(&exchanges[place])
    try folder.replace(exchanges)
  }
}

extension Exchange {
  /// Highest place that the exchange has in the order of arrival; -1 for none.
  fileprivate var lastPlace: Int {
    let pieces = (response?.pieces ?? []).compactMap(\.place) + (messages ?? []).compactMap(\.place)
    return ([arrival?.place, arrival?.endPlace].compactMap { $0 } + pieces).max() ?? -1
  }

  fileprivate func moved(by count: Int) -> Exchange {
    var moved = self
    moved.arrival?.place += count
    moved.arrival?.endPlace = arrival?.endPlace.map { $0 + count }
    moved.response?.pieces = response?.pieces?.map {
      Piece(after: $0.after, size: $0.size, place: $0.place.map { $0 + count })
    }
    moved.messages = messages?.map {
      SocketMessage(
        isSent: $0.isSent, after: $0.after, opcode: $0.opcode, data: $0.data, place: $0.place.map { $0 + count })
    }
    return moved
  }
}
