internal import Core
internal import Tracing

/// What a span belongs to, as W3C's Trace Context writes it: `00-TRACE-SPAN-FLAGS`.
struct TraceContext: Hashable, Sendable {
  /// 32 and 16 lower-case hex digits, not all of them zero.
  let trace: String
  let span: String
  /// Whether who began the trace wants it kept.
  let isSampled: Bool

  /// A span of a trace, or the first of a new one.
  init(below parent: TraceContext?) {
    trace = parent?.trace ?? Self.digits(2)
    span = Self.digits(1)
    isSampled = parent?.isSampled ?? true
  }

  /// Reads a header; nil for what is none, or of a version that can't be.
  init?(_ text: String?) {
    guard let text, text.utf8.count <= 200 else { return nil }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 4, parts[0] == "00" ? parts.count == 4 : parts[0] != "ff",
      zip(parts, [2, 32, 16, 2]).allSatisfy({ $0.utf8.count == $1 && $0.utf8.allSatisfy(Self.isDigit) }),
      parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" }),
      let flags = UInt8(parts[3], radix: 16)
    else { return nil }
    (trace, span, isSampled) = (parts[1], parts[2], flags & 1 == 1)
  }

  var text: String { "00-\(trace)-\(span)-\(isSampled ? "01" : "00")" }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) || (97...102).contains(byte) }

  /// So many times sixteen digits of chance, never all zero.
  private static func digits(_ words: Int) -> String {
    (0..<words).map { _ in
      let digits = String(UInt64.random(in: 1 ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

private enum TraceContextKey: InstrumentationContextKey {
  typealias Value = TraceContext
  static var nameOverride: String? { "traceparent" }
}

extension InstrumentationContext {
  /// The span that what happens now belongs to.
  var trace: TraceContext? {
    get { self[TraceContextKey.self] }
    set { self[TraceContextKey.self] = newValue }
  }
}
