internal import Glibc

/// A language in BCP 47's notation: `pt-BR`. Language, script, region and variants; no extensions, no private use.
package struct LanguageTag: Hashable, Sendable {
  /// The language of a render for which none is given.
  package static let standard = LanguageTag(known: "en-US")
  /// Maximum length of a tag in bytes, as RFC 5646 recommends for fields of fixed size.
  package static let longest = 35

  /// The tag, with letters in the case that BCP 47 recommends.
  package let text: String

  private init(known text: String) { self.text = text }

  /// Nil for a text that is no valid tag; the case of letters doesn't matter.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map { Array($0) }
    guard let language = parts.first, (2...3).contains(language.count), language.allSatisfy(Self.isLetter) else {
      return nil
    }
    var rest = parts.dropFirst()
    var words = [String(decoding: language, as: UTF8.self).lowercased()]
    if let script = rest.first, script.count == 4, script.allSatisfy(Self.isLetter) {
      let word = String(decoding: script, as: UTF8.self)
      words.append(word.prefix(1).uppercased() + word.dropFirst().lowercased())
      rest = rest.dropFirst()
    }
    if let region = rest.first, Self.isRegion(region) {
      words.append(String(decoding: region, as: UTF8.self).uppercased())
      rest = rest.dropFirst()
    }
    let variants = rest.map { String(decoding: $0, as: UTF8.self).lowercased() }
    guard rest.allSatisfy(Self.isVariant), Set(variants).count == variants.count else { return nil }
    self.text = (words + variants).joined(separator: "-")
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 32) }
  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isRegion(_ part: [UInt8]) -> Bool {
    part.count == 2 && part.allSatisfy(isLetter) || part.count == 3 && part.allSatisfy(isDigit)
  }

  private static func isVariant(_ part: [UInt8]) -> Bool {
    guard part.allSatisfy({ isLetter($0) || isDigit($0) }) else { return false }
    return (5...8).contains(part.count) || part.count == 4 && isDigit(part[0])
  }
}

/// A time zone identified by its name in the IANA database: `Asia/Tokyo`.
package struct TimeZoneName: Hashable, Sendable {
  /// The time zone of a render for which none is given.
  package static let standard = TimeZoneName(known: "UTC")
  /// Maximum length of a name in bytes; the longest in the database has 32.
  package static let longest = 40
  /// Path of the system's copy of the database.
  private static let database = "/usr/share/zoneinfo"

  package let text: String

  private init(known text: String) { self.text = text }

  /// Nil for a text that can't be a zone's name; `isInstalled` indicates if the zone exists.
  package init?(_ text: String) {
    guard (1...Self.longest).contains(text.utf8.count) else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 3, parts.allSatisfy(Self.isPart), !Self.others.contains(String(parts[0])) else { return nil }
    self.text = text
  }

  /// Indicates if the system's database contains the zone; always true for UTC.
  package var isInstalled: Bool {
    if self == .standard { return true }
    let file = open("\(Self.database)/\(text)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var magic = [UInt8](repeating: 0, count: 4)
    return read(file, &magic, 4) == 4 && magic == Array("TZif".utf8)
  }

  /// Entries of the database's folder that are no zones of their own.
  private static let others: Set<String> = ["posix", "right", "posixrules", "localtime", "Factory"]

  private static func isPart(_ part: Substring) -> Bool {
    guard let first = part.utf8.first, Self.isLetter(first) else { return false }
    return part.utf8.allSatisfy { isLetter($0) || "0123456789_+-".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 32) }
}

/// A text that is validated on creation and encoded unchanged in documents.
package protocol CheckedText: Codable {
  init?(_ text: String)
  var text: String { get }
}

extension CheckedText {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let checked = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no text of the kind \(Self.self)")
    }
    self = checked
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension LanguageTag: CheckedText {}

extension TimeZoneName: CheckedText {}
