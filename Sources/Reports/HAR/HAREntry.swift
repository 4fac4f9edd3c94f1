internal import FoundationEssentials
internal import Jobs
internal import MRAID

/// A request and its response; what wasn't seen has the format's values for that.
struct HAREntry: Encodable {
  struct Request: Encodable {
    let method: String
    let url: String
    let httpVersion = ""
    let cookies: [HARDocument.Pair] = []
    let headers: [HARDocument.Pair]
    let queryString: [HARDocument.Pair]
    let headersSize = -1
    let bodySize = -1
  }
  struct Response: Encodable {
    let status: Int
    let statusText = ""
    let httpVersion = ""
    let cookies: [HARDocument.Pair] = []
    let headers: [HARDocument.Pair]
    let content: Content
    let redirectURL = ""
    let headersSize = -1
    let bodySize: Int
  }
  struct Content: Encodable {
    let size: Int
    let mimeType: String
  }
  struct Cache: Encodable {}
  struct Timings: Encodable {
    let send = 0.0
    let wait: Double
    let receive = 0.0
  }

  let pageref: String
  let startedDateTime: String
  let time: Double
  let request: Request
  let response: Response
  let cache = Cache()
  let timings: Timings
  let failure: String?
  let redirects: [String]?
  let origin: MeasuredResource.Origin?
  let initiator: String?

  enum CodingKeys: String, CodingKey {
    case pageref, startedDateTime, time, request, response, cache, timings
    case failure = "_failure"
    case redirects = "_redirects"
    case origin = "_origin"
    case initiator = "_initiator"
  }

  init(_ found: NetworkRequest, page: String, began: Double) {
    pageref = page
    startedDateTime = FileDate.text(milliseconds: began + found.start)
    let time = max(0, found.end - found.start)
    self.time = time
    request = Request(
      method: found.method, url: found.url, headers: found.requestHeaders, queryString: Self.query(found.url))
    response = Response(
      status: found.status, headers: found.responseHeaders,
      content: Content(size: max(0, found.decoded), mimeType: found.type), bodySize: found.bytes)
    // The engine tells when a request began and ended, not when its first byte came.
    timings = Timings(wait: time)
    failure = found.failure
    redirects = found.redirects.isEmpty ? nil : found.redirects
    origin = found.origin
    initiator = found.initiator
  }

  private static func query(_ url: String) -> [HARDocument.Pair] {
    let items = URLComponents(string: url)?.queryItems ?? []
    return items.map { HARDocument.Pair(name: $0.name, value: $0.value ?? "") }
  }
}
