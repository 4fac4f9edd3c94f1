internal import CoreMetrics
internal import Synchronization

/// Keeps what is measured and writes it in Prometheus' text format; names and labels are sorted.
final class PrometheusRegistry: MetricsFactory, Sendable {
  private let series = Mutex<[Series.Key: Series]>([:])

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    find(label, dimensions, .counter)
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    find(label, dimensions, .gauge)
  }

  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    find(label, dimensions, aggregate ? .histogram : .gauge)
  }

  /// Durations are told in seconds, whatever they were measured in.
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    find(label, dimensions, .histogram)
  }

  // What is counted stays until the program ends.
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}

  /// Everything, with a line about the type of each name.
  var text: String {
    let all = series.withLock { Array($0.values) }
    let groups = Dictionary(grouping: all, by: \.key.name).sorted { $0.key < $1.key }
    return groups.map { name, series in
      let type = series[0].kind.rawValue
      return "# TYPE \(name) \(type)\n" + series.sorted { $0.key.labels < $1.key.labels }.map(\.text).joined()
    }.joined()
  }

  private func find(_ label: String, _ dimensions: [(String, String)], _ kind: Series.Kind) -> Series {
    let key = Series.Key(label, dimensions)
    return series.withLock { all in
      if let known = all[key] { return known }
      let new = Series(key, kind)
      all[key] = new
      return new
    }
  }
}
