package import Core

/// Program that sends requests to the servers of a queue, described by its role, its NATS user and the process of that
/// user.
///
/// NATS lets a user publish only below its own name, so the subject of a request identifies its caller reliably.
package struct QueueCaller: Hashable, Sendable {
  /// Role of a program in a queue, other than servers.
  package enum Role: String, Hashable, Sendable, Codable { case worker, sender }

  package let role: Role
  /// 1 to 40 letters, digits, hyphens and underscores.
  package let user: String
  /// Name of one process of the user, with the same characters.
  package let instance: String

  /// Creates a caller with these names.
  /// - Throws: `queue-user-invalid` for a name that can't be a part of a subject.
  package init(_ role: Role, user: String, instance: String) throws(Fault) {
    guard Self.isName(user), Self.isName(instance) else {
      throw .request(
        "queue-user-invalid", "\(user) and \(instance) must have 1 to 40 letters, digits, hyphens and underscores")
    }
    (self.role, self.user, self.instance) = (role, user, instance)
  }

  /// Reads the caller from the last words of a subject, as in `worker.USER.INSTANCE`; nil for other words.
  init?(_ words: ArraySlice<Substring>) {
    let words = words.map(String.init)
    guard words.count == 3, let role = Role(rawValue: words[0]), Self.isName(words[1]), Self.isName(words[2]) else {
      return nil
    }
    (self.role, user, instance) = (role, words[1], words[2])
  }

  /// Words that identify the caller in subjects and records.
  package var text: String { "\(role.rawValue).\(user).\(instance)" }

  /// Reads the caller from a text of this form; nil for other texts.
  package init?(text: String) { self.init(text.split(separator: ".", omittingEmptySubsequences: false)[...]) }

  private static func isName(_ text: String) -> Bool {
    (1...40).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        byte == 45 || byte == 95 || (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      }
  }
}
