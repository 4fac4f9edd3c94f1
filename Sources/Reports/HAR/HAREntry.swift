internal import FoundationEssentials
internal import Jobs
internal import MRAID

/// A request and its response; what wasn't seen has the format's values for that.
struct HAREntry: Encodable {
  struct Request: Encodable {
    let method: String
    let url: String
    let httpVersion: String
    let cookies: [HARDocument.Pair] = []
    let headers: [HARDocument.Pair]
    let queryString: [HARDocument.Pair]
    let headersSize = -1
    let bodySize = -1
  }
  struct Response: Encodable {
    let status: Int
    let statusText: String
    let httpVersion: String
    let cookies: [HARDocument.Pair] = []
    let headers: [HARDocument.Pair]
    let content: Content
    let redirectURL: String
    let headersSize = -1
    let bodySize: Int
  }
  struct Content: Encodable {
    let size: Int
    let mimeType: String
  }
  struct Cache: Encodable {}
  struct Timings: Encodable {
    let send: Double
    let wait: Double
    let receive: Double
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
  let event: Int

  enum CodingKeys: String, CodingKey {
    case pageref, startedDateTime, time, request, response, cache, timings
    case failure = "_failure"
    case redirects = "_redirects"
    case event = "_event"
  }

  init(_ found: NetworkRequest, page: String, began: Double) {
    pageref = page
    startedDateTime = FileDate.text(milliseconds: began + found.start)
    let time = max(0, found.end - found.start)
    self.time = time
    request = Request(
      method: found.method, url: found.url, httpVersion: found.version, headers: found.requestHeaders,
      queryString: Self.query(found.url))
    response = Response(
      status: found.status, statusText: "", httpVersion: found.version, headers: found.responseHeaders,
      content: Content(size: max(0, found.bytes), mimeType: found.type), redirectURL: "",
      bodySize: found.bytes)
    let wait = found.firstByte.map { min(max(0, $0 - found.start), time) }
    timings = Timings(send: 0, wait: wait ?? time, receive: wait.map { time - $0 } ?? 0)
    failure = found.failure
    redirects = found.redirects.isEmpty ? nil : found.redirects
    event = found.event
  }

  private static func query(_ url: String) -> [HARDocument.Pair] {
    let items = URLComponents(string: url)?.queryItems ?? []
    return items.map { HARDocument.Pair(name: $0.name, value: $0.value ?? "") }
  }
}
