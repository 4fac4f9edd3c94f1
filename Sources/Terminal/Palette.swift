internal import Application
internal import Checks
@preconcurrency internal import Rainbow
internal import RenderModel

/// Colours of terminal output.
struct Palette: Sendable {
  let isEnabled: Bool

  /// Makes the palette; colours need a terminal that isn't dumb, and no `NO_COLOR` (https://no-color.org).
  init(isTerminal: Bool, environment: [String: String]) {
    isEnabled = isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  /// Colours a text by an outcome.
  func text(_ text: String, for outcome: RenderRecord.Outcome) -> String {
    switch outcome {
    case .completed: paint(text, .green)
    case .failed, .crashed: paint(text, .red)
    case .timedOut: paint(text, .yellow)
    }
  }

  /// Colours a text by a verdict.
  func text(_ text: String, for status: CreativeReport.Status) -> String {
    switch status {
    case .passed: paint(text, .green)
    case .failed: paint(text, .red)
    case .timedOut, .broken: paint(text, .yellow)
    }
  }

  /// Colours a text by a finding's severity.
  func text(_ text: String, for severity: Severity) -> String {
    switch severity {
    case .error: paint(text, .red)
    case .warning: paint(text, .yellow)
    case .note: paint(text, .cyan)
    }
  }

  /// Colours a text by the status of a trial of the machine.
  func text(_ text: String, trial status: MachineFinding.Status) -> String {
    switch status {
    case .ok: paint(text, .green)
    case .warning: paint(text, .yellow)
    case .error: paint(text, .red)
    }
  }

  /// Colours an error line.
  func error(_ text: String) -> String { paint(text, .red) }

  /// Colours a text if colours are enabled.
  ///
  /// Rainbow's own detection looks at the current process; this decides by the stream that is written to.
  private func paint(_ text: String, _ color: NamedColor) -> String {
    guard isEnabled else { return text }
    Rainbow.outputTarget = .console
    Rainbow.enabled = true
    return text.applyingColor(color)
  }
}

extension String {
  /// Returns the text padded with spaces to `width` characters.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// Returns at most `width` characters, the last one an ellipsis if the text was longer.
  func fitted(to width: Int) -> String {
    count <= width ? self : prefix(max(0, width - 1)) + "…"
  }
}
