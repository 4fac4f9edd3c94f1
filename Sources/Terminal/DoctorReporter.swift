package import Application
package import Core
internal import FoundationEssentials

/// Prints the findings on the machine: each as soon as it is known, or all as one JSON document.
package struct DoctorReporter {
  private let json: Bool
  private let console: Console
  private let palette: Palette

  package init(
    json: Bool, console: Console, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    (self.json, self.console) = (json, console)
    palette = Palette(isTerminal: console.isTerminal, environment: environment)
  }

  /// Prints one finding with its remedy.
  package func handleProgress(_ finding: MachineFinding) {
    guard !json else { return }
    let status = palette.text(finding.status.rawValue.padded(to: 7), trial: finding.status)
    let area = finding.area.rawValue.padded(to: Self.areaWidth)
    let remedy = finding.remedy.map { "\(String(repeating: " ", count: Self.areaWidth + 11))\($0)\n" } ?? ""
    console.write("\(status)  \(area)  \(finding.message)\n\(remedy)")
  }

  /// Prints the summary, which says if creatives can be rendered on this machine, and the bundle's path.
  package func end(_ report: MachineReport, bundle: String?) throws(Fault) {
    if json { return try console.printMessage(document: report) }
    let counts = [(MachineFinding.Status.error, "error"), (.warning, "warning")].compactMap { status, noun in
      let count = report.count(status)
      return count == 0 ? nil : "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
    let verdict = report.count(.error) > 0 ? "creatives can't be rendered here" : "creatives can be rendered here"
    let text = counts.isEmpty ? "nothing is missing" : "\(verdict): \(counts.joined(separator: ", "))"
    let place = bundle.map { "for a bug report: \($0.printable)\n" } ?? ""
    try console.printMessage("\n\(text)\n\(place)")
  }

  private static let areaWidth = MachineFinding.Area.allCases.map(\.rawValue.count).max() ?? 0
}

extension MachineReport {
  /// Exit code for the report.
  package var status: ExitStatus { count(.error) > 0 ? .engine : .pass }
}
