internal import Core
internal import CoreMetrics
internal import Synchronization

/// Stores measurements and writes them in Prometheus' text format; names and labels are sorted.
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

  /// Creates a timer. Durations are written in seconds, whatever unit they were measured in.
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    find(label, dimensions, .histogram)
  }

  // What is counted stays until the program ends.
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}

  /// All series, with a line about the type of each name.
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

/// One measured series with its labels.
final class Series: Sendable {
  enum Kind: String, Sendable {
    case counter, gauge, histogram
  }
  struct Key: Hashable, Sendable {
    let name: String
    /// Labels as `a="b",c="d"`, sorted and escaped.
    let labels: String

    init(_ label: String, _ dimensions: [(String, String)]) {
      name = String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" })
      labels = dimensions.sorted { $0.0 < $1.0 }.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    }

    private static func escaped(_ text: String) -> String {
      text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
  }
  private struct Value {
    var sum = 0.0
    var count = 0
    var buckets = Array(repeating: 0, count: Series.bounds.count)
  }

  /// Upper bounds of a histogram's buckets, in seconds for durations.
  private static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]

  let key: Key
  let kind: Kind
  private let value = Mutex(Value())

  init(_ key: Key, _ kind: Kind) { (self.key, self.kind) = (key, kind) }

  /// Lines of the exposition format.
  var text: String {
    let value = value.withLock { $0 }
    guard kind == .histogram else { return line("", key.labels, value.sum) }
    var text = ""
    for (bound, count) in zip(Self.bounds, value.buckets) {
      text += line("_bucket", labels(adding: "le=\"\(bound.plain)\""), Double(count))
    }
    text += line("_bucket", labels(adding: "le=\"+Inf\""), Double(value.count))
    return text + line("_sum", key.labels, value.sum) + line("_count", key.labels, Double(value.count))
  }

  private func labels(adding label: String) -> String { key.labels.isEmpty ? label : "\(key.labels),\(label)" }

  private func line(_ suffix: String, _ labels: String, _ value: Double) -> String {
    "\(key.name)\(suffix)\(labels.isEmpty ? "" : "{\(labels)}") \(value.plain)\n"
  }

  private func observe(_ number: Double) {
    value.withLock { value in
      value.sum += number
      value.count += 1
      for (index, bound) in Self.bounds.enumerated() where number <= bound { value.buckets[index] += 1 }
    }
  }
}

extension Series: CounterHandler {
  func increment(by amount: Int64) { value.withLock { $0.sum += Double(amount) } }
  func reset() { value.withLock { $0 = Value() } }
}

extension Series: MeterHandler {
  func set(_ number: Int64) { set(Double(number)) }
  func set(_ number: Double) { value.withLock { $0.sum = number } }
  func increment(by amount: Double) { value.withLock { $0.sum += amount } }
  func decrement(by amount: Double) { value.withLock { $0.sum -= amount } }
}

extension Series: RecorderHandler {
  func record(_ number: Int64) { record(Double(number)) }
  func record(_ number: Double) { kind == .gauge ? set(number) : observe(number) }
}

extension Series: TimerHandler {
  func recordNanoseconds(_ duration: Int64) { observe(Double(duration) / 1e9) }
}
