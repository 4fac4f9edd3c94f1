internal import Core
internal import Foundation
package import RenderModel
internal import Synchronization
internal import Tracing

/// The spans of one job on a worker's machine: the whole job, with fetching, rendering and sending below it.
///
/// Rendering has a span for the web process, and below it one for each step of the scenario. Without a tracer nothing
/// is recorded.
package final class JobTrace: Sendable {
  /// The parts of a job, in their order.
  package enum Part: String, Sendable {
    case fetch, render
    case send = "judge and send"
  }

  /// Maximum number of a scenario's steps that get a span.
  private static let mostSteps = 100
  private let tracer: SpanTracer?
  private let parent: TraceContext?
  package let context: TraceContext
  private let began = DefaultTracerClock.now.nanosecondsSinceEpoch
  private let latest: Mutex<UInt64>
  private let attributes: SpanAttributes

  package init(_ traceparent: String?, render: String, attempt: Int, worker: String) {
    tracer = InstrumentationSystem.tracer as? SpanTracer
    parent = TraceContext(traceparent)
    context = TraceContext(below: parent)
    latest = Mutex(began)
    var attributes: SpanAttributes = [:]
    attributes["galley.render"] = render
    attributes["galley.attempt"] = attempt
    attributes["galley.worker"] = worker
    self.attributes = attributes
  }

  /// Ends a part; the next begins at the same time.
  package func end(_ part: Part, problem: String? = nil) {
    guard let tracer else { return }
    let now = DefaultTracerClock.now.nanosecondsSinceEpoch
    let start = latest.withLock { latest in
      defer { latest = now }
      return latest
    }
    keep(part.rawValue, start, now, problem, below: context, tracer)
  }

  /// Ends the rendering; spans of the scenario's steps are taken from the record.
  package func endRender(_ record: RenderRecord) {
    guard let tracer else { return }
    let now = DefaultTracerClock.now.nanosecondsSinceEpoch
    let start = latest.withLock { latest in
      defer { latest = now }
      return latest
    }
    let render = keep(Part.render.rawValue, start, now, record.message, below: context, tracer)
    let total = Self.nanoseconds((record.timings["total"] ?? 0) * 1e6)
    let opened = max(start, now > total ? now - total : start)
    let page = keep("web process", opened, now, nil, below: render, tracer)
    // Time of the ad's own may pass faster: steps are spread over the time that it took.
    let steps = (record.steps ?? []).prefix(Self.mostSteps)
    let last = max(steps.map(\.end).max() ?? 0, record.screenshots.map(\.t).max() ?? 0)
    guard last > 0 else { return }
    let instant = { (t: Double) in opened + Self.nanoseconds(Double(now - opened) * min(1, t / last)) }
    for step in steps {
      let start = instant(step.start)
      keep(step.text, start, max(start, instant(step.end)), step.failure, below: page, tracer)
    }
  }

  /// Ends the span of the whole job.
  package func end(_ problem: String?) {
    guard let tracer else { return }
    var span = SpanRecord(
      context: context, parent: parent, name: "work", kind: .consumer, start: began,
      end: DefaultTracerClock.now.nanosecondsSinceEpoch)
    (span.attributes, span.problem) = (attributes, problem)
    tracer.keep(span)
  }

  /// Converts to whole nanoseconds, at most an hour.
  private static func nanoseconds(_ number: Double) -> UInt64 {
    UInt64(Bounded.int(number, in: 0...3_600_000_000_000))
  }

  @discardableResult private func keep(
    _ name: String, _ start: UInt64, _ end: UInt64, _ problem: String?, below parent: TraceContext,
    _ tracer: SpanTracer
  ) -> TraceContext {
    let own = TraceContext(below: parent)
    var span = SpanRecord(context: own, parent: parent, name: name, kind: .internal, start: start, end: end)
    span.problem = problem
    tracer.keep(span)
    return own
  }
}
