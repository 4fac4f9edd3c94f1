internal import Checks
package import Core
internal import FoundationEssentials
internal import RenderModel

/// HTTP Archive 1.2: a page for each creative and an entry for each request.
///
/// Names of Galley's own fields begin with an underscore.
package enum HARReport {
  /// Returns the whole archive; a result without a log has a page and no entries.
  package static func text(_ source: ReportSource) throws(Fault) -> String {
    // Ads of a feed have their requests in the feed's log, which is told once.
    var seen: Set<String> = []
    let creatives = source.report.creatives.filter { $0.folder.isEmpty || seen.insert($0.folder).inserted }
    let recordings = creatives.map { HARRecording($0, source: source) }
    let log = HARDocument.Log(
      creator: HARDocument.Creator(version: source.report.galley), pages: recordings.map(\.page),
      entries: recordings.flatMap(\.entries), comment: source.report.policy.map { "policy: \($0.text)" })
    return try ReportJSON.text(HARDocument(log: log))
  }
}

/// Root of the archive with its common data.
struct HARDocument: Encodable {
  struct Log: Encodable {
    let version = "1.2"
    let creator: Creator
    let pages: [Page]
    let entries: [HAREntry]
    /// Policy by which creatives were judged; nil for none.
    let comment: String?
  }
  struct Creator: Encodable {
    let name = "galley"
    let version: String
  }
  struct Page: Encodable {
    let startedDateTime: String
    let id: String
    let title: String
    let pageTimings: PageTimings
    let creative: String
    let device: String

    enum CodingKeys: String, CodingKey {
      case startedDateTime, id, title, pageTimings
      case creative = "_creative"
      case device = "_device"
    }
  }
  struct PageTimings: Encodable {
    /// Time of DOMContentLoaded in milliseconds; -1 if unknown, as the format defines.
    let onContentLoad: Double
    let onLoad: Double
  }
  struct Pair: Encodable, Hashable {
    let name: String
    let value: String
  }

  let log: Log
}

/// Page and requests of one creative.
struct HARRecording {
  let page: HARDocument.Page
  let entries: [HAREntry]

  init(_ creative: CreativeReport, source: ReportSource) {
    let files = ResultFiles(source: source, creative: creative)
    let began = files.began
    let events = files.events
    let measurements = files.measurements
    let reached = { (kind: LoadBoundary.Kind) in measurements?.load.first { $0.kind == kind }?.t }
    let loaded = reached(.windowLoad) ?? events.first { $0.source == .page && $0.isNamed(.loadFinished) }?.t
    page = HARDocument.Page(
      startedDateTime: Instant.text(near: began), id: creative.name, title: creative.name,
      pageTimings: HARDocument.PageTimings(onContentLoad: reached(.domContentLoaded) ?? -1, onLoad: loaded ?? -1),
      creative: creative.creativePath, device: creative.record.device.name)
    entries = NetworkRequest.all(measurements, events).map { HAREntry($0, page: creative.name, began: began) }
  }
}

/// Request with its response; unknown values are those that the format defines for this.
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
    startedDateTime = Instant.text(near: began + found.start)
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
