internal import Core
internal import Logging
internal import ServiceLifecycle
internal import Tracing

/// Where spans go: a collector of OpenTelemetry's that takes OTLP over HTTP with JSON.
package struct TracingSettings: Sendable {
  /// Like `http://collector:4318/v1/traces`.
  package var address: String
  /// What this program is called in traces.
  package var service: String
  package var instance: String

  package init(address: String, service: String, instance: String) {
    (self.address, self.service, self.instance) = (address, service, instance)
  }
}

/// Sends spans every few seconds, and the rest at the end; what can't be sent is lost.
struct SpanExporter: Service {
  /// Spans of one sending.
  private static let most = 500
  let settings: TracingSettings
  let tracer: SpanTracer
  let log: Logger

  /// Has what happens from now on be traced.
  static func begin(_ settings: TracingSettings?, log: Logger) -> SpanExporter? {
    guard let settings else { return nil }
    let tracer = SpanTracer()
    InstrumentationSystem.bootstrap(tracer)
    return SpanExporter(settings: settings, tracer: tracer, log: log)
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while (try? await Task.sleep(for: .seconds(2))) != nil { await send() }
    }
    await Task { await send() }.value
  }

  private func send() async {
    while case let spans = tracer.take(Self.most), !spans.isEmpty {
      let document = SpanDocument(spans, service: settings.service, instance: settings.instance)
      guard let body = JSONText.plain(document) else { return }
      let post = WebhookPost(
        address: settings.address, route: .open, headers: [("content-type", "application/json")], body: body)
      do throws(Fault) {
        guard let problem = try await Curl().send(post).problem else { continue }
        return log.warning("spans weren't taken", metadata: ["spans": "\(spans.count)", "problem": "\(problem)"])
      } catch {
        return log.warning("spans weren't sent", metadata: ["error": "\(error)"])
      }
    }
  }
}

extension Logger {
  /// The same with the trace that its lines belong to.
  func with(_ trace: TraceContext?) -> Logger {
    guard let trace else { return self }
    var log = self
    log[metadataKey: "trace_id"] = "\(trace.trace)"
    log[metadataKey: "span_id"] = "\(trace.span)"
    return log
  }
}
