internal import FoundationEssentials

/// Marks, by their environment, the processes of one run and of one worker in it.
package struct RunIdentifier: Hashable, Sendable {
  /// A UUID in lower case.
  package let value: String

  package init() {
    value = UUID().uuidString.lowercased()
  }

  /// Reads one from a command line; nil when it is no UUID.
  package init?(_ text: String) {
    guard let uuid = UUID(uuidString: text) else { return nil }
    value = uuid.uuidString.lowercased()
  }

  /// The environment entry every process of the run has.
  package var marker: Marker { Marker(name: "GALLEY_RUN", value: value) }

  /// The environment entry of one worker and its children; `number` is never used twice in a run.
  package func marker(ofWorker number: Int) -> Marker { Marker(name: "GALLEY_WORKER", value: "\(value)-\(number)") }
}

/// One environment entry by which processes are found again.
package struct Marker: Hashable, Sendable {
  package var name: String
  package var value: String

  /// As it stands in `/proc/<pid>/environ`.
  package var entry: String { "\(name)=\(value)" }
}
