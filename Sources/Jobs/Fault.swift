internal import Core

/// Why something failed, whose fault it is, and a stable code for machines.
package struct Fault: Error, Hashable, Sendable, Codable {
  /// Who has to act.
  package enum Blame: String, Sendable, Codable, CaseIterable {
    /// Whoever called Galley: a wrong path, option, device or scenario.
    case request
    /// The creative's author.
    case creative
    /// Nobody certain: the time allowed was over.
    case deadline
    /// Galley or the machine under it.
    case engine
  }

  package var blame: Blame
  /// Stable, kebab-case, never reused for another meaning: `zip-broken`.
  package var code: String
  /// One line a person can act on; what of it is a creative's text can't be more than text.
  package var message: String

  package init(_ blame: Blame, _ code: String, _ message: String) {
    self.blame = blame
    self.code = code
    self.message = message.printable
  }

  package static func request(_ code: String, _ message: String) -> Fault { Fault(.request, code, message) }
  package static func creative(_ code: String, _ message: String) -> Fault { Fault(.creative, code, message) }
  package static func deadline(_ code: String, _ message: String) -> Fault { Fault(.deadline, code, message) }
  package static func engine(_ code: String, _ message: String) -> Fault { Fault(.engine, code, message) }
}

extension Fault: CustomStringConvertible {
  package var description: String { "\(message) [\(blame.rawValue): \(code)]" }
}
