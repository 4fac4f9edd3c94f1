internal import Application
internal import Checks
@preconcurrency internal import Rainbow
internal import RenderModel

/// Colours for a terminal that wants them.
struct Palette: Sendable {
  let isEnabled: Bool

  /// Colours need a terminal that isn't dumb and no `NO_COLOR` (https://no-color.org).
  init(isTerminal: Bool, environment: [String: String]) {
    isEnabled = isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  /// How an outcome looks.
  func text(_ text: String, for outcome: RenderRecord.Outcome) -> String {
    switch outcome {
    case .completed: paint(text, .green)
    case .failed, .crashed: paint(text, .red)
    case .timedOut: paint(text, .yellow)
    }
  }

  /// How a verdict looks.
  func text(_ text: String, for status: CreativeReport.Status) -> String {
    switch status {
    case .passed: paint(text, .green)
    case .failed: paint(text, .red)
    case .timedOut, .broken: paint(text, .yellow)
    }
  }

  /// How a finding's weight looks.
  func text(_ text: String, for severity: Severity) -> String {
    switch severity {
    case .error: paint(text, .red)
    case .warning: paint(text, .yellow)
    case .note: paint(text, .cyan)
    }
  }

  /// How a trial of the machine looks.
  func text(_ text: String, trial status: MachineFinding.Status) -> String {
    switch status {
    case .ok: paint(text, .green)
    case .warning: paint(text, .yellow)
    case .error: paint(text, .red)
    }
  }

  /// How an error line looks.
  func error(_ text: String) -> String { paint(text, .red) }

  /// Rainbow's own detection looks at the process it is in; this decides by the stream that is written to.
  private func paint(_ text: String, _ color: NamedColor) -> String {
    guard isEnabled else { return text }
    Rainbow.outputTarget = .console
    Rainbow.enabled = true
    return text.applyingColor(color)
  }
}

extension String {
  /// Filled up with spaces to `width` characters.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// At most `width` characters, the last an ellipsis when some are missing.
  func fitted(to width: Int) -> String {
    count <= width ? self : prefix(max(0, width - 1)) + "…"
  }
}
