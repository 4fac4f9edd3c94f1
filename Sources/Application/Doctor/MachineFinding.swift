internal import Core

/// Result of one trial of this machine.
package struct MachineFinding: Hashable, Sendable, Codable {
  /// Subject of the trial.
  package enum Area: String, Hashable, Sendable, Codable, CaseIterable {
    case programs, display, sandbox, render, isolation, clock
    case forkServer = "fork-server"
    case fonts, graphics, codecs, locale
    case timeZones = "time-zones"
    case disk, memory, cache
  }

  /// Outcome of the trial.
  package enum Status: String, Hashable, Sendable, Codable, CaseIterable {
    case ok
    /// Creatives can be rendered, but with restrictions.
    case warning
    /// No creative can be rendered.
    case error
  }

  package let area: Area
  package let status: Status
  /// Finding on one line.
  package let message: String
  /// Remedy for the problem; nil if there is none.
  package let remedy: String?

  private init(_ area: Area, _ status: Status, _ message: String, _ remedy: String?) {
    (self.area, self.status, self.message, self.remedy) = (area, status, message.printable, remedy)
  }

  static func ok(_ area: Area, _ message: String) -> MachineFinding { MachineFinding(area, .ok, message, nil) }

  static func warning(_ area: Area, _ message: String, remedy: String) -> MachineFinding {
    MachineFinding(area, .warning, message, remedy)
  }

  static func error(_ area: Area, _ message: String, remedy: String) -> MachineFinding {
    MachineFinding(area, .error, message, remedy)
  }
}

/// Results of all trials, written by `galley doctor --json` (Schemas/doctor.schema.json).
package struct MachineReport: Hashable, Sendable, Codable {
  /// Schema version of this document.
  package let schema: Int
  package let galley: String
  /// Version of WebKitGTK; nil if nothing could be rendered.
  package let webkit: String?
  /// Name and version of the system; `kernel` has those of the kernel.
  package let system: String
  package let kernel: String
  package let findings: [MachineFinding]

  init(webkit: String?, findings: [MachineFinding]) {
    (schema, galley) = (Galley.schema, Galley.version)
    (system, kernel) = (MachineFacts.system, MachineFacts.kernel)
    (self.webkit, self.findings) = (webkit, findings)
  }

  /// Returns the number of findings with a status.
  package func count(_ status: MachineFinding.Status) -> Int { findings.count { $0.status == status } }
}
