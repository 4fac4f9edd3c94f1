internal import Core
internal import Jobs
internal import MRAID

/// One creative's line in tables, and the line below it when it failed.
struct ResultRow: Sendable {
  let name: String
  let outcome: RenderRecord.Outcome
  let states: String
  let pictures: String
  let time: String
  /// `error: creative: folder has no index.html [no-index]`
  let fault: String?

  init(name: String, record: RenderRecord) {
    self.name = name.printable
    outcome = record.outcome
    states = record.states.isEmpty ? "–" : record.states.map(\.rawValue).joined(separator: " → ")
    pictures = record.screenshots.count == 1 ? "1 picture" : "\(record.screenshots.count) pictures"
    time = record.timings["total"].map(Self.time) ?? "–"
    fault = record.outcome == .completed ? nil : Self.fault(record)
  }

  /// `412 ms`, from ten seconds on `12.3 s`.
  static func time(milliseconds: Double) -> String {
    let whole = Int(milliseconds.rounded())
    if whole < 10_000 { return "\(whole) ms" }
    let tenths = Int((milliseconds / 100).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }

  private static func fault(_ record: RenderRecord) -> String {
    let blame = record.fault.map { $0.rawValue + ": " } ?? ""
    let code = record.code.map { " [\($0)]" } ?? ""
    return "error: \(blame)\(record.message ?? "no reason given")\(code)".printable
  }
}
