internal import Jobs
internal import MRAID

/// A request as the event log tells it; times are milliseconds since the load began.
struct NetworkRequest: Hashable {
  var event: Int
  var url: String
  var method = "GET"
  var status: Int
  var type: String
  /// -1 where it isn't known.
  var bytes: Int
  var start: Double
  var end: Double
  var firstByte: Double?
  var failure: String?
  /// The addresses it went through before `url`.
  var redirects: [String] = []
  var version = ""
  var requestHeaders: [HARDocument.Pair] = []
  var responseHeaders: [HARDocument.Pair] = []

  /// Every request of a log, in the order the page asked.
  static func all(in events: [Event]) -> [NetworkRequest] {
    events.filter { $0.source == .network && $0.name == "resource" }.map(NetworkRequest.init)
  }

  init(_ event: Event) {
    let detail = event.detail
    let timing = detail["timing"]
    self.event = event.seq
    url = detail["url"]?.string ?? ""
    method = detail["method"]?.string ?? "GET"
    status = Int(clamping: detail["status"]?.number ?? 0)
    type = detail["type"]?.string ?? ""
    bytes = Int(clamping: detail["bytes"]?.number ?? -1)
    start = max(0, timing?["start"]?.number ?? event.t)
    end = max(start, timing?["end"]?.number ?? event.t)
    firstByte = timing?["response"]?.number
    failure = detail["failure"]?.string
    redirects = detail["redirects"]?.array?.compactMap(\.string) ?? []
  }
}

extension Int {
  /// Whatever a log says, without a trap.
  init(clamping value: Double) { self = value.isFinite ? Int(Swift.min(Swift.max(value, -1), 9e15)) : -1 }
}
