internal import Core
internal import RenderModel

/// A request as it was measured, or else as the event log tells it; times are milliseconds since the load began.
struct NetworkRequest: Hashable {
  var url: String
  var method = "GET"
  var status: Int
  var type: String
  /// Of the body, as sent; -1 where it isn't known.
  var bytes: Int
  /// Of the body once decoded; -1 where it isn't known.
  var decoded: Int
  var start: Double
  var end: Double
  var failure: String?
  /// The addresses it went through before `url`.
  var redirects: [String] = []
  /// Where the body came from: the creative's files, the host, the network.
  var origin: MeasuredResource.Origin?
  var initiator: String?
  var requestHeaders: [HARDocument.Pair] = []
  var responseHeaders: [HARDocument.Pair] = []

  /// Every request of a result, in the order they began.
  static func all(_ measurements: Measurements?, _ events: [Event]) -> [NetworkRequest] {
    let all =
      measurements?.resources.map(NetworkRequest.init)
      ?? events.filter { $0.source == .network && $0.name == "resource" }.map(NetworkRequest.init)
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
