internal import Core
internal import Foundation
internal import RenderModel
internal import Scheduling

/// Links to one render for users without a token: signed with the server's key, and valid for some days.
struct ShareLinks: Sendable {
  /// The contents of a link.
  struct Link: Hashable, Sendable {
    let render: String
    /// Expiry in milliseconds since 1970.
    let expires: Int64
  }

  /// Maximum number of days that a link may be valid.
  static let longest = 365
  /// The signing key; nil if links are off.
  private let key: SigningKey?
  /// Maximum number of days that a link is valid on this server; 0 allows none, and invalidates existing links.
  let mostDays: Int

  var areOn: Bool { mostDays > 0 }

  init(key: SigningKey?, mostDays: Int) { (self.key, self.mostDays) = (key, mostDays) }

  /// Reads the key, or creates one; replacing the key invalidates every link.
  init(file: String, mostDays: Int) throws(Fault) {
    self.init(key: mostDays > 0 ? try SigningKey(file: file) : nil, mostDays: mostDays)
  }

  /// The part of an address that represents a link: the render, the expiry, and the signature of both.
  func text(of link: Link) -> String {
    "\(link.render).\(String(link.expires, radix: 36)).\(signature(of: link))"
  }

  /// The id of a link among those of its render, from which the link can't be derived.
  func id(of link: Link) -> String { String(signature(of: link).prefix(Self.idLength)) }

  /// Indicates if a text has the form of a link's id.
  static func isID(_ text: String) -> Bool {
    text.utf8.count == idLength && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  private static let idLength = 16

  /// Parses a link; nil if this server didn't create it, or if it has expired.
  func link(_ text: String, at timestamp: Int64) -> Link? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard areOn, parts.count == 3, RenderID.isOne(String(parts[0])), let expires = Int64(parts[1], radix: 36) else {
      return nil
    }
    let link = Link(render: String(parts[0]), expires: expires)
    // Written another way it would be another address of the same.
    guard text.utf8.count < 200, SigningKey.isSame(self.text(of: link), text), timestamp < expires else { return nil }
    return link
  }

  private func signature(of link: Link) -> String {
    key?.signature("share", "\(link.render)\n\(link.expires)") ?? ""
  }
}
