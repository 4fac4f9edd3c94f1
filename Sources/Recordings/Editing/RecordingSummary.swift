internal import Core
package import Parties

/// Summary of a recording for users: one line per request, and the recipients (Schemas/recording.schema.json).
package struct RecordingSummary: Encodable, Hashable, Sendable {
  /// Version of this document's schema.
  private let schema = Galley.schema
  /// Galley's version.
  private let galley = Galley.version
  package var requests: [Request]
  /// Recipients by registrable domain, the one with the most requests first.
  package var parties: [RequestParty]
  /// List by which trackers are recognised, and its date.
  package let trackers = "\(TrackerList.source), \(TrackerList.date)"
  package var rules: [String]

  package struct Request: Encodable, Hashable, Sendable {
    package var index: Int
    package var method: String
    package var url: String
    /// Status of the response; nil when none came.
    package var status: Int?
    package var failure: String?
    /// Bytes of the body, decoded.
    package var size: Int
    /// Milliseconds of the machine's time until the response was complete.
    package var milliseconds: Double
    /// Instant of the request, in milliseconds of the render's time.
    package var startedAt: Double
    /// Kind of the element or script that sent the request; nil if unmeasured.
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
