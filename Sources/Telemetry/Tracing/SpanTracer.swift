internal import Core
internal import Synchronization
internal import Tracing

/// Keeps spans until they are sent. Beyond the limit new spans are dropped.
final class SpanTracer: Tracer {
  /// Maximum number of spans that wait to be sent.
  private static let most = 10_000
  private let ended = Mutex<[SpanRecord]>([])

  func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> TracedSpan {
    let parent = context()
    return TracedSpan(operationName, in: parent, kind, at: instant().nanosecondsSinceEpoch) { [weak self] in
      self?.keep($0)
    }
  }

  func forceFlush() {}

  func extract<Carrier, Extract>(
    _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
  ) where Extract: Extractor, Extract.Carrier == Carrier {
    context.trace = TraceContext(extractor.extract(key: "traceparent", from: carrier))
  }

  func inject<Carrier, Inject>(
    _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject: Injector, Inject.Carrier == Carrier {
    if let trace = context.trace { injector.inject(trace.text, forKey: "traceparent", into: &carrier) }
  }

  /// Keeps an ended span if its trace is sampled.
  func keep(_ span: SpanRecord) {
    guard span.context.isSampled else { return }
    ended.withLock { spans in
      if spans.count < Self.most { spans.append(span) }
    }
  }

  /// Removes and returns at most so many ended spans.
  func take(_ most: Int) -> [SpanRecord] {
    ended.withLock { spans in
      defer { spans.removeFirst(min(most, spans.count)) }
      return Array(spans.prefix(most))
    }
  }
}

/// A span that has ended.
struct SpanRecord: Sendable {
  let context: TraceContext
  let parent: TraceContext?
  var name: String
  let kind: SpanKind
  /// Nanoseconds since 1970.
  let start: UInt64
  var end: UInt64
  var attributes: SpanAttributes = [:]
  var events: [SpanEvent] = []
  /// Description of the failure; nil if it succeeded.
  var problem: String?
}

/// A span in progress.
final class TracedSpan: Span {
  let context: InstrumentationContext
  private let record: Mutex<SpanRecord>
  private let hasEnded = Mutex(false)
  private let keep: @Sendable (SpanRecord) -> Void

  init(
    _ name: String, in context: InstrumentationContext, _ kind: SpanKind, at start: UInt64,
    keep: @escaping @Sendable (SpanRecord) -> Void
  ) {
    let own = TraceContext(below: context.trace)
    var inner = context
    inner.trace = own
    self.context = inner
    self.keep = keep
    record = Mutex(SpanRecord(context: own, parent: context.trace, name: name, kind: kind, start: start, end: start))
  }

  var operationName: String {
    get { record.withLock { $0.name } }
    set { record.withLock { $0.name = newValue } }
  }
  var attributes: SpanAttributes {
    get { record.withLock { $0.attributes } }
    set { record.withLock { $0.attributes = newValue } }
  }
  var isRecording: Bool { !hasEnded.withLock { $0 } }

  func setStatus(_ status: SpanStatus) {
    record.withLock { $0.problem = status.code == .error ? status.message ?? "" : nil }
  }

  func addEvent(_ event: SpanEvent) {
    record.withLock { if $0.events.count < 100 { $0.events.append(event) } }
  }

  func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
  ) {
    record.withLock { $0.problem = "\(error)" }
  }

  func addLink(_ link: SpanLink) {}

  func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
    let isFirst = hasEnded.withLock { ended in
      defer { ended = true }
      return !ended
    }
    guard isFirst else { return }
    let end = instant().nanosecondsSinceEpoch
    keep(
      record.withLock { record in
        record.end = max(record.start, end)
        return record
      })
  }
}
