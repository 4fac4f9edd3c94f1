internal import Core
package import Logging
internal import ServiceLifecycle
internal import Tracing

/// Address of an OpenTelemetry collector that accepts OTLP over HTTP with JSON, and the names for it.
package struct TracingSettings: Sendable {
  /// Address like `http://collector:4318/v1/traces`.
  package var address: String
  /// The program's name in traces.
  package var service: String
  package var instance: String

  package init(address: String, service: String, instance: String) {
    (self.address, self.service, self.instance) = (address, service, instance)
  }
}

/// Sends spans every two seconds and at the end; spans that can't be sent are lost.
package struct SpanExporter: Service {
  /// Maximum number of spans sent at once.
  private static let most = 500
  let settings: TracingSettings
  let tracer: SpanTracer
  let log: Logger

  /// True if spans are recorded.
  package static var isOn: Bool { InstrumentationSystem.tracer is SpanTracer }

  /// Enables tracing from now on; nil without settings.
  package static func begin(_ settings: TracingSettings?, log: Logger) -> SpanExporter? {
    guard let settings else { return nil }
    let tracer = SpanTracer()
    InstrumentationSystem.bootstrap(tracer)
    return SpanExporter(settings: settings, tracer: tracer, log: log)
  }

  package func run() async throws {
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
  /// The logger with the ids of a trace in its metadata.
  package func with(_ trace: TraceContext?) -> Logger {
    guard let trace else { return self }
    var log = self
    log[metadataKey: "trace_id"] = "\(trace.trace)"
    log[metadataKey: "span_id"] = "\(trace.span)"
    return log
  }
}
