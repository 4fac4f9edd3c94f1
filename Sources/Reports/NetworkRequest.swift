internal import Core
internal import RenderModel

/// Request from the measurements, or else from the event log; times are milliseconds since the load began.
struct NetworkRequest: Hashable {
  var url: String
  var method = "GET"
  var status: Int
  var type: String
  /// Size of the body as sent, in bytes; -1 if unknown.
  var bytes: Int
  /// Size of the decoded body in bytes; -1 if unknown.
  var decoded: Int
  var start: Double
  var end: Double
  var failure: String?
  /// URLs that redirected to `url`.
  var redirects: [String] = []
  /// Source of the body: the creative's files, the host, or the network.
  var origin: MeasuredResource.Origin?
  var initiator: String?
  var requestHeaders: [HARDocument.Pair] = []
  var responseHeaders: [HARDocument.Pair] = []

  /// Returns all requests of a result, in the order in which they began.
  static func all(_ measurements: Measurements?, _ events: [Event]) -> [NetworkRequest] {
    let all =
      measurements?.resources.map(NetworkRequest.init)
      ?? events.filter { $0.source == .network && $0.isNamed(.resource) }.map(NetworkRequest.init)
    return all.sorted { $0.start < $1.start }
  }

  private init(_ measured: MeasuredResource) {
    url = measured.url
    method = measured.method
    status = measured.status
    type = measured.type
    bytes = measured.encoded ?? measured.decoded ?? -1
    decoded = measured.decoded ?? measured.encoded ?? -1
    start = max(0, measured.start)
    end = max(start, measured.end)
    failure = measured.failure
    redirects = measured.redirects
    origin = measured.origin
    initiator = measured.initiator
    requestHeaders = measured.requestHeaders.map { HARDocument.Pair(name: $0.name, value: $0.value) }
    responseHeaders = measured.responseHeaders.map { HARDocument.Pair(name: $0.name, value: $0.value) }
  }

  private init(_ event: Event) {
    let detail = event.detail
    let timing = detail["timing"]
    url = detail["url"]?.string ?? ""
    status = Bounded.int(detail["status"]?.number ?? 0, in: -1...999)
    type = detail["type"]?.string ?? ""
    bytes = Bounded.int(detail["bytes"]?.number ?? -1, in: -1...9_000_000_000_000_000)
    decoded = bytes
    start = max(0, timing?["start"]?.number ?? event.t)
    end = max(start, timing?["end"]?.number ?? event.t)
    failure = detail["failure"]?.string
    redirects = detail["redirects"]?.array?.compactMap(\.string) ?? []
  }
}
