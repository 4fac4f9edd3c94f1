import Core
import CoreMetrics
import Logging
import Synchronization
import Testing

@testable import Telemetry

@Suite struct MetricsTests {
  @Test func writesPrometheusText() {
    let registry = PrometheusRegistry()
    registry.makeCounter(label: "a.total", dimensions: [("z", "1"), ("b", "say \"x\"\n")]).increment(by: 2)
    registry.makeCounter(label: "a.total", dimensions: [("b", "say \"x\"\n"), ("z", "1")]).increment(by: 1)
    registry.makeMeter(label: "level", dimensions: []).set(1.5)
    #expect(
      registry.text == """
        # TYPE a_total counter
        a_total{b="say \\"x\\"\\n",z="1"} 3
        # TYPE level gauge
        level 1.5

        """)
  }

  @Test func whatAlarmsWatchIsThereBeforeItHappens() {
    let lines = ServiceGauges().registry.text.split(separator: "\n").map(String.init)
    #expect(lines.contains("galley_rejections_total{reason=\"queue-full\"} 0"))
    #expect(lines.contains("galley_renders_total{code=\"\",status=\"quarantined\"} 0"))
    #expect(lines.contains("galley_attempts_lost_total{process=\"worker\"} 0"))
    #expect(lines.contains("galley_webhooks_total{outcome=\"given-up\"} 0"))
    #expect(lines.contains("galley_connections_cut_total{reason=\"slow-head\"} 0"))
  }

  @Test func sortsDurationsIntoBucketsThatAddUp() {
    let registry = PrometheusRegistry()
    let timer = registry.makeTimer(label: "t", dimensions: [])
    for milliseconds in [4, 200, 400_000] as [Int64] { timer.recordNanoseconds(milliseconds * 1_000_000) }
    let lines = registry.text.split(separator: "\n").map(String.init)
    #expect(lines.contains("t_bucket{le=\"0.005\"} 1"))
    #expect(lines.contains("t_bucket{le=\"0.25\"} 2"))
    #expect(lines.contains("t_bucket{le=\"300\"} 2"))
    #expect(lines.contains("t_bucket{le=\"+Inf\"} 3"))
    #expect(lines.contains("t_count 3"))
  }
}

@Suite struct PrintableLogTests {
  /// Log handler that stores its messages.
  private struct Keeper: LogHandler {
    final class Kept: Sendable { let texts = Mutex<[String]>([]) }
    let kept = Kept()
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let values = (event.metadata ?? [:]).values.map(\.description) + metadata.values.map(\.description)
      kept.texts.withLock { $0 += [event.message.description] + values }
    }
  }

  @Test func tellsForeignTextsOnOneLine() {
    let keeper = Keeper()
    let text = "a\n::error::x\u{1B}[2J\u{202E}##vso[x]\u{2028}"
    var log = Logger(label: "test") { _ in PrintableLog(keeper) }
    log[metadataKey: "request"] = "\(text)"
    log.error(
      "\(text)", metadata: ["path": "\(text)", "all": .array(["\(text)"]), "in": .dictionary(["x": "\(text)"])])
    let texts = keeper.kept.texts.withLock { $0 }
    #expect(texts.count == 5)
    for text in texts {
      #expect(text.unicodeScalars.allSatisfy { !$0.isUnprintable } && !text.contains("##vso["))
      #expect(text.contains("a ::error::x [2J"))
    }
  }
}
