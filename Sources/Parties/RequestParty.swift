/// Recipient of requests: all hosts of one registered domain, their answers, and the tracker's company if known.
package struct RequestParty: Hashable, Sendable, Codable {
  /// Registered part of the hosts' names.
  package let domain: String
  /// Names of the hosts, sorted.
  package let hosts: [String]
  package let requests: Int
  /// Bytes of the answers' bodies on the wire.
  package let bytes: Int
  /// Number of answers that set cookies.
  package let cookies: Int
  /// Company that owns a host of the domain by the list of trackers; nil if none is on the list.
  package let company: String?
  package let purpose: Tracker.Purpose?

  /// A request, and the facts of its answer that count.
  package struct Asked: Hashable, Sendable {
    package var host: String
    package var bytes: Int
    package var setsCookie: Bool

    package init(host: String, bytes: Int = 0, setsCookie: Bool = false) {
      (self.host, self.bytes, self.setsCookie) = (host.lowercased(), bytes, setsCookie)
    }
  }

  /// Returns the parties of some requests, the one with the most requests first.
  package static func all(of asked: [Asked]) -> [RequestParty] {
    Dictionary(grouping: asked) { RegistrableDomain.of($0.host) }.map { RequestParty($0, $1) }
      .sorted { ($1.requests, $0.domain) < ($0.requests, $1.domain) }
  }

  private init(_ domain: String, _ asked: [Asked]) {
    self.domain = domain
    hosts = Set(asked.map(\.host)).sorted()
    requests = asked.count
    bytes = asked.reduce(0) { $0 &+ $1.bytes }
    cookies = asked.count(where: \.setsCookie)
    let tracker = hosts.lazy.compactMap(TrackerList.tracker).first
    (company, purpose) = (tracker?.company, tracker?.purpose)
  }

  /// Indicates if one of the hosts is on the list of trackers.
  package var isTracker: Bool { company != nil }
  /// Company and purpose, as `Google, advertising`; nil if no host is on the list.
  package var who: String? { company.map { company in purpose.map { "\(company), \($0.rawValue)" } ?? company } }
}
