internal import Core
package import Parties

/// A recording for people: each request in a line, and whom it was sent to (Schemas/recording.schema.json).
package struct RecordingSummary: Encodable, Hashable, Sendable {
  /// The version of this document's shape.
  private let schema = Galley.schema
  /// Galley's version.
  private let galley = Galley.version
  package var requests: [Request]
  /// Parties by registrable domain, the one with most requests first.
  package var parties: [RequestParty]
  /// The list by which trackers are named, and its day.
  package let trackers = "\(TrackerList.source), \(TrackerList.date)"
  package var rules: [String]

  package struct Request: Encodable, Hashable, Sendable {
    package var index: Int
    package var method: String
    package var url: String
    /// Nil where no response came.
    package var status: Int?
    package var failure: String?
    /// Bytes of the body, decoded.
    package var size: Int
    /// Milliseconds of the machine's time until all was there.
    package var milliseconds: Double
    /// When it was asked for, in milliseconds of the render's time.
    package var startedAt: Double
    /// What of the page asked for it; nil where nobody measured.
    package var initiator: String?
    package var address: String?
    package var tls: String?
  }

  package init(_ exchanges: [Exchange], rules: [MatchRule]) {
    requests = exchanges.map { exchange in
      Request(
        index: exchange.index, method: exchange.method, url: exchange.url, status: exchange.response?.status,
        failure: exchange.failure?.rawValue, size: exchange.response?.content?.size ?? 0,
        milliseconds: exchange.timing.untilHead + (exchange.timing.receive ?? 0), startedAt: exchange.startedAt,
        initiator: exchange.initiator, address: exchange.server?.address, tls: exchange.server?.tls?.version)
    }
    parties = RequestParty.all(
      of: exchanges.map { exchange in
        RequestParty.Asked(
          host: RequestAddress(exchange.url).host, bytes: exchange.response?.wireSize ?? 0,
          setsCookie: exchange.response?.headers.first(named: "set-cookie") != nil)
      })
    self.rules = rules.map(\.text)
  }
}
