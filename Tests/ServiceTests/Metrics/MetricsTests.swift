import CoreMetrics
import Testing

@testable import Service

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

  @Test func sortsDurationsIntoBucketsThatAddUp() {
    let registry = PrometheusRegistry()
    let timer = registry.makeTimer(label: "t", dimensions: [])
    for seconds in [0.004, 0.2, 400] { timer.recordNanoseconds(Int64(seconds * 1e9)) }
    let lines = registry.text.split(separator: "\n").map(String.init)
    #expect(lines.contains("t_bucket{le=\"0.005\"} 1"))
    #expect(lines.contains("t_bucket{le=\"0.25\"} 2"))
    #expect(lines.contains("t_bucket{le=\"300\"} 2"))
    #expect(lines.contains("t_bucket{le=\"+Inf\"} 3"))
    #expect(lines.contains("t_count 3"))
  }
}
