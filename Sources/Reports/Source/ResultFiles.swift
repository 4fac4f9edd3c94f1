internal import Checks
internal import FoundationEssentials
internal import Jobs

/// What a result's folder holds besides its record; a missing or broken file reads as empty.
struct ResultFiles {
  let source: ReportSource
  let creative: CreativeReport

  /// The event log as far as it can be read.
  var events: [Event] {
    let decoder = JSONDecoder()
    return (data("events.ndjson") ?? Data()).split(separator: UInt8(ascii: "\n")).compactMap {
      try? decoder.decode(Event.self, from: Data($0))
    }
  }

  /// What was measured; nil unless it was asked for, as galley check does.
  var measurements: Measurements? {
    data(Measurements.fileName).flatMap { try? JSONDecoder().decode(Measurements.self, from: $0) }
  }

  /// What exploring found; nil without `--explore`.
  var stateMap: StateMap? { data("exploration.json").flatMap { try? JSONDecoder().decode(StateMap.self, from: $0) } }

  /// When the load began, in milliseconds since 1970, reckoned back from when the record was written.
  var began: Double {
    let written = FileDate.milliseconds(of: source.path(of: "result.json", in: creative))
    return max(0, Double(written) - (creative.record.timings["total"] ?? 0))
  }

  private func data(_ file: String) -> Data? {
    try? Data(contentsOf: URL(filePath: source.path(of: file, in: creative)), options: .mappedIfSafe)
  }
}
