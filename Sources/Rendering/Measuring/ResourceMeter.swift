internal import Core
internal import Creatives
internal import Engine
internal import Hosting
internal import MRAID
internal import Pixels
internal import RenderModel

/// Converts the web views' reports on resources to measurements.
struct ResourceMeter: Sendable {
  /// Resource with the part of the ad that it belongs to.
  struct Load: Sendable {
    var load: ResourceLoad
    var part: AdPart
    /// Milliseconds since the render began.
    var start: Double
    var end: Double
  }

  let bundle: CreativeBundle
  let addresses: PageAddresses

  /// Measures resources in the order of their requests, with data that only the page's own timeline has for some of
  /// them.
  ///
  /// The engine reports a request a little later than the page's timeline, which begins at `offset`; on a busy machine
  /// only after its consequences.
  @concurrent func measure(
    _ loads: [Load], _ timeline: [PageTimeline.Resource], offset: Double?
  ) async -> [MeasuredResource] {
    var entries = Dictionary(grouping: timeline, by: \.url)
    return loads.filter { isRequest($0.load.url) }.map { one in
      let asked = one.load.redirects.first ?? one.load.url
      var entry: PageTimeline.Resource?
      if entries[asked]?.isEmpty == false { entry = entries[asked]?.removeFirst() }
      var one = one
      if let offset, one.part == .one, entry != nil || one.load.index == 0 {
        one.start = min(one.start, offset + (entry?.start ?? 0))
      }
      return measure(one, entry)
    }
  }

  /// Maximum length of a body that a header may state, a petabyte, so that sums can't overflow.
  private static let mostBytes = 1_000_000_000_000_000

  /// Indicates if a resource was requested, rather than contained in the document or created by the page.
  private func isRequest(_ url: String) -> Bool {
    !["data:", "blob:", "about:"].contains { url.hasPrefix($0) }
  }

  private func measure(_ one: Load, _ entry: PageTimeline.Resource?) -> MeasuredResource {
    let load = one.load
    let origin = origin(of: load.url)
    var measured = MeasuredResource(
      url: addresses.display(load.url), origin: origin, part: one.part == .two ? "two" : nil, method: load.method,
      status: load.status, type: load.mimeType, initiator: entry?.initiator, start: tenths(one.start),
      end: tenths(one.end), failure: load.failure, redirects: load.redirects.map(addresses.display),
      requestHeaders: load.requestHeaders.map(header), responseHeaders: load.responseHeaders.map(header))
    guard load.failure == nil else { return measured }
    measureBody(of: load, entry, origin, into: &measured)
    return measured
  }

  private func measureBody(
    of load: ResourceLoad, _ entry: PageTimeline.Resource?, _ origin: MeasuredResource.Origin,
    into measured: inout MeasuredResource
  ) {
    let isEncoded = load.responseHeaders.value(of: "content-encoding").map { $0.lowercased() != "identity" } ?? false
    let told = load.responseHeaders.value(of: "content-length").flatMap { Int($0) }.map {
      min(max($0, 0), Self.mostBytes)
    }
    let length = load.bytes >= 0 ? load.bytes : nil
    measured.decoded = load.decodedBytes ?? entry?.decoded ?? (isEncoded ? nil : length)
    measured.encoded = told ?? entry?.encoded ?? (isEncoded ? nil : length)
    guard origin == .creative, Compressible.contains(load.mimeType),
      let file = try? bundle.resource(path: String(load.url.dropFirst(addresses.origin.count)))
    else { return }
    measured.gzipEstimate = GzipSize.estimate(of: file.bytes)
  }

  private func origin(of url: String) -> MeasuredResource.Origin {
    if MRAIDScriptRequest.matches(url) || url.hasPrefix("\(CreativeScheme.name)://\(PageAddresses.containerHost)/") {
      return .container
    }
    return addresses.isOwn(url) ? .creative : .network
  }

  private func header(_ header: HTTPHeader) -> MeasuredResource.Header {
    MeasuredResource.Header(name: header.name, value: header.value)
  }

  private func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}

/// MIME types that servers compress: text, and fonts and programs that aren't compressed by themselves.
enum Compressible {
  private static let types: Set<String> = [
    "application/javascript", "application/x-javascript", "application/json", "application/manifest+json",
    "application/xml", "application/xhtml+xml", "application/wasm", "application/vnd.ms-fontobject", "image/svg+xml",
    "image/bmp", "image/x-icon", "font/ttf", "font/otf", "font/collection",
  ]

  static func contains(_ type: String) -> Bool { type.hasPrefix("text/") || types.contains(type) }
}

/// Answer of `timeline.js`, with instants in milliseconds since the document's own beginning.
struct PageTimeline: Decodable, Sendable {
  struct Resource: Decodable, Sendable {
    var url: String
    var initiator: String?
    var start: Double
    var encoded: Int?
    var decoded: Int?
  }

  /// Milliseconds since 1970.
  var origin: Double
  var domContentLoaded: Double?
  var complete: Double?
  var windowLoad: Double?
  var firstPaint: Double?
  var resources: [Resource]
}
