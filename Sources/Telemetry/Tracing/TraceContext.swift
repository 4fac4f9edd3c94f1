internal import Core
internal import Tracing

/// Ids of a trace and a span, in the format of W3C's Trace Context: `00-TRACE-SPAN-FLAGS`.
package struct TraceContext: Hashable, Sendable {
  /// Lower-case hexadecimal digits, 32 and 16 of them, not all zero.
  package let trace: String
  package let span: String
  /// Indicates if the creator of the trace requested that it be kept.
  let isSampled: Bool

  /// Creates a span below another, or the first span of a new trace.
  package init(below parent: TraceContext?) {
    trace = parent?.trace ?? Self.digits(2)
    span = Self.digits(1)
    isSampled = parent?.isSampled ?? true
  }

  /// Parses a header; nil if it is invalid or has an invalid version.
  package init?(_ text: String?) {
    guard let text, text.utf8.count <= 200 else { return nil }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 4, parts[0] == "00" ? parts.count == 4 : parts[0] != "ff",
      zip(parts, [2, 32, 16, 2]).allSatisfy({ $0.utf8.count == $1 && $0.utf8.allSatisfy(Self.isDigit) }),
      parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" }),
      let flags = UInt8(parts[3], radix: 16)
    else { return nil }
    (trace, span, isSampled) = (parts[1], parts[2], flags & 1 == 1)
  }

  package var text: String { "00-\(trace)-\(span)-\(isSampled ? "01" : "00")" }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) || (97...102).contains(byte) }

  /// Random hexadecimal digits, sixteen for each word, never all zero.
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
  /// The span that current operations belong to.
  package var trace: TraceContext? {
    get { self[TraceContextKey.self] }
    set { self[TraceContextKey.self] = newValue }
  }
}
