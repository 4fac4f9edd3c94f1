import Foundation
import RenderModel
import Testing
import Workers

@testable import Service
@testable import Telemetry

/// Metrics that the dashboard, the scaler and the how-to read are those that servers and workers publish.
@Suite struct DeployedMetricsTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Names of all metrics after every event has occurred.
  private var told: Set<String> {
    let gauges = ServiceGauges()
    gauges.rejected("queue-full")
    gauges.ended(.completed, code: nil)
    gauges.lost(process: "web")
    gauges.rendered(seconds: 1)
    gauges.waited(milliseconds: 1)
    gauges.delivered("delivered")
    gauges.answered("GET", "/", status: 200, seconds: 0.1)
    let pressure = Pressure(
      running: 0, queued: 0, capacity: Pressure.Capacity(running: 1, queued: 1), rejected: 0, isFull: false,
      isStopping: false, unwritten: 0, workers: PoolMetrics(), problem: nil)
    let text = gauges.text(pressure, process: OwnProcess()) + WorkerMetrics().text
    var names: Set<String> = []
    for line in text.split(separator: "\n") where line.hasPrefix("# TYPE ") {
      let words = line.split(separator: " ").map(String.init)
      names.insert(words[2])
      if words[3] == "histogram" { names.formUnion(["_bucket", "_sum", "_count"].map { words[2] + $0 }) }
    }
    return names
  }

  @Test(arguments: [
    ("deploy/grafana.json", 10), ("deploy/keda.yaml", 4), ("docs/how-to/render-on-many-machines.md", 6),
  ]) func namesOnlyWhatIsTold(_ path: String, _ atLeast: Int) throws {
    let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    let named = Set(text.matches(of: /\b(galley|process)_[a-z_]+\b/).map { String($0.output.0) })
    #expect(named.count >= atLeast)
    #expect(named.subtracting(told).isEmpty, "\(named.subtracting(told).sorted())")
  }
}
