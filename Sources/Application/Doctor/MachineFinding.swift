internal import Core

/// What one trial of this machine came to.
package struct MachineFinding: Hashable, Sendable, Codable {
  /// What was tried.
  package enum Area: String, Hashable, Sendable, Codable, CaseIterable {
    case programs, display, sandbox, render, isolation, clock
    case forkServer = "fork-server"
    case fonts, graphics, codecs, locale
    case timeZones = "time-zones"
    case disk, memory, cache
  }

  /// How it went.
  package enum Status: String, Hashable, Sendable, Codable, CaseIterable {
    case ok
    /// Renders are made, and something of them is less than it could be.
    case warning
    /// Nothing can be rendered.
    case error
  }

  package let area: Area
  package let status: Status
  /// What was found, in a line.
  package let message: String
  /// What to do about it; nil where nothing is to be done.
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

/// All that was tried of this machine, written by `galley doctor --json` (Schemas/doctor.schema.json).
package struct MachineReport: Hashable, Sendable, Codable {
  /// The version of this document's shape.
  package let schema: Int
  package let galley: String
  /// WebKitGTK's version; nil where nothing could be rendered.
  package let webkit: String?
  /// The system's name and version, and the kernel's.
  package let system: String
  package let kernel: String
  package let findings: [MachineFinding]

  init(webkit: String?, findings: [MachineFinding]) {
    (schema, galley) = (Galley.schema, Galley.version)
    (system, kernel) = (MachineFacts.system, MachineFacts.kernel)
    (self.webkit, self.findings) = (webkit, findings)
  }

  /// How many ended so.
  package func count(_ status: MachineFinding.Status) -> Int { findings.count { $0.status == status } }
}
