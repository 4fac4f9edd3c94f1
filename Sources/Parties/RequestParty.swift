/// Somebody who was asked for something: all hosts that one registered, what came, and whether they are known trackers.
package struct RequestParty: Hashable, Sendable, Codable {
  /// The part of the hosts' names that was registered.
  package let domain: String
  /// Sorted.
  package let hosts: [String]
  package let requests: Int
  /// Of bodies on the wire.
  package let bytes: Int
  /// How many answers set cookies.
  package let cookies: Int
  /// Whose it is, where that is on the list of trackers.
  package let company: String?
  package let purpose: Tracker.Purpose?

  /// One request and what is known of its answer.
  package struct Asked: Hashable, Sendable {
    package var host: String
    package var bytes: Int
    package var setsCookie: Bool

    package init(host: String, bytes: Int = 0, setsCookie: Bool = false) {
      (self.host, self.bytes, self.setsCookie) = (host.lowercased(), bytes, setsCookie)
    }
  }

  /// The parties of some requests, the one with most requests first.
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

  /// Whether it is on the list of trackers.
  package var isTracker: Bool { company != nil }
  /// `Google, advertising`; nil for whoever isn't on the list.
  package var who: String? { company.map { company in purpose.map { "\(company), \($0.rawValue)" } ?? company } }
}
