internal import Core
internal import FoundationEssentials

/// Answer to a request for a part of a file, composed of all recorded parts.
package struct RangeAnswer: Hashable, Sendable {
  /// A range of bytes in one exchange's body.
  package struct Part: Hashable, Sendable {
    package let content: Exchange.Content
    /// Offset of the first byte in that body.
    package private(set) var offset: Int
    package private(set) var count: Int

    package init(content: Exchange.Content, offset: Int, count: Int) {
      (self.content, self.offset, self.count) = (content, offset, count)
    }

    /// Removes bytes from the beginning of the range.
    package mutating func take(_ bytes: Int) {
      offset += bytes
      count -= bytes
    }
  }

  /// Exchange whose head and timing the answer has.
  package let exchange: Exchange
  /// Response with status 206 and no content, which is in `parts`.
  package let response: Exchange.Response
  package let parts: [Part]
}

extension RecordingIndex {
  /// Returns the answer to a GET with a `Range` if every byte of it was recorded by any requests; nil otherwise.
  ///
  /// It is used if `match` finds nothing: an engine requests other parts if a video is shown a bit earlier or later.
  package mutating func range(for request: AskedRequest) -> RangeAnswer? {
    guard request.method == "GET", let asked = request.range.flatMap(AskedRange.init(parsing:)) else { return nil }
    let places = places(ofAnyPartOf: request)
    let files = places.compactMap { place in RecordedPart(exchanges[place], place) }
    // The last version is what counts where a file changed in between.
    guard let last = files.last else { return nil }
    let parts = files.filter { $0.isSameFile(as: last) }.sorted { ($0.start, $1.end) < ($1.start, $0.end) }
    guard let bounds = asked.bounds(in: last.total) else { return nil }
    var taken: [RangeAnswer.Part] = []
    var next = bounds.lowerBound
    while next <= bounds.upperBound {
      guard let part = parts.filter({ $0.start <= next && $0.end > next }).max(by: { $0.end < $1.end }) else {
        return nil
      }
      let end = min(part.end, bounds.upperBound + 1)
      taken.append(RangeAnswer.Part(content: part.content, offset: next - part.start, count: end - next))
      use(part.place)
      next = end
    }
    let exchange = exchanges[last.place]
    return RangeAnswer(exchange: exchange, response: last.head(bounds, of: exchange), parts: taken)
  }
}

/// One requested range of bytes; several ranges at once aren't supported.
private enum AskedRange {
  case from(Int, Int?)
  case last(Int)

  init?(parsing text: String) {
    guard text.hasPrefix("bytes="), !text.contains(",") else { return nil }
    let ends = text.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    if ends[0].isEmpty {
      guard let count = Int(ends[1]), count > 0 else { return nil }
      self = .last(count)
    } else {
      guard let start = Int(ends[0]), start >= 0, ends[1].isEmpty || Int(ends[1]).map({ $0 >= start }) == true else {
        return nil
      }
      self = .from(start, Int(ends[1]))
    }
  }

  /// Returns the first and the last byte; nil if the file has none of them.
  func bounds(in total: Int) -> ClosedRange<Int>? {
    switch self {
    case .from(let start, let end): start < total ? start...min(end ?? .max, total - 1) : nil
    case .last(let count): total > 0 ? max(0, total - count)...(total - 1) : nil
    }
  }
}

/// A part of a file, or all of it, in a recorded exchange.
private struct RecordedPart {
  let place: Int
  let content: Exchange.Content
  let start: Int
  let end: Int
  let total: Int
  private let tag: String?

  init?(_ exchange: Exchange, _ place: Int) {
    guard let response = exchange.response, let content = response.content, content.size > 0,
      response.headers.first(named: "content-encoding") == nil
    else { return nil }
    (self.place, self.content) = (place, content)
    tag = response.headers.first(named: "etag") ?? response.headers.first(named: "last-modified")
    if response.status == 206 {
      // bytes 0-99/1000
      let words = (response.headers.first(named: "content-range") ?? "").split { " -/".contains($0) }
      guard words.count == 4, words[0] == "bytes", let start = Int(words[1]), let total = Int(words[3]),
        (0..<(1 << 40)).contains(start), (1...(1 << 40)).contains(total), start + content.size <= total
      else { return nil }
      (self.start, end, self.total) = (start, start + content.size, total)
    } else {
      // What broke off says how much there is.
      let length = response.headers.first(named: "content-length").flatMap { Int($0) } ?? content.size
      guard response.status == 200, exchange.failure == nil || length > content.size else { return nil }
      (start, end, total) = (0, content.size, min(max(length, content.size), 1 << 40))
    }
  }

  func isSameFile(as other: RecordedPart) -> Bool { total == other.total && tag == other.tag }

  func head(_ bounds: ClosedRange<Int>, of exchange: Exchange) -> Exchange.Response {
    let headers = (exchange.response?.headers ?? []).filter {
      !["content-range", "content-length"].contains($0.name.lowercased())
    }
    let range = Exchange.Header("Content-Range", "bytes \(bounds.lowerBound)-\(bounds.upperBound)/\(total)")
    return Exchange.Response(
      status: 206, reason: "Partial Content", version: exchange.response?.version ?? "HTTP/1.1",
      headers: headers + [range], wireSize: bounds.count)
  }
}
