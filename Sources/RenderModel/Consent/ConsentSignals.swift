package import Core

/// Consent strings for pages and addresses, which express the user's choice.
///
/// They are the IAB's TC string (TCF 2.2), its GPP string (1.1) with the sections `tcfeuv2` and `usnat`, and the US
/// Privacy string. They are made for a user in both the EU and the US, so that an ad that asks for any of the three
/// gets an answer.
package struct ConsentSignals: Hashable, Sendable {
  package let consent: Consent
  /// TC string; empty if the user hasn't answered.
  package let tcString: String
  package let gppString: String
  package let usPrivacy: String

  /// Numbers and API prefixes of the GPP sections.
  package static let sections = [(id: 2, name: "tcfeuv2"), (id: 7, name: "usnat")]
  /// Number of vendors covered by the strings, more than the IAB's list has.
  static let vendors = 2_000
  /// Numbers of purposes and of special features in TCF 2.2.
  private static let (purposes, features) = (11, 2)
  /// Versions of the IAB's vendor list and of its policies.
  static let (listVersion, policyVersion) = (100, 4)

  /// Makes the strings for a date in seconds since 1970; they contain only its day.
  package init(_ consent: Consent, date: Double) {
    self.consent = consent
    let day = (Bounded.number(date, in: 0...4_000_000_000) / 86_400).rounded(.down) * 86_400
    tcString = consent == .undecided ? "" : Self.tcString(consent == .granted, day)
    gppString = Self.gppString(consent, tcString)
    usPrivacy =
      switch consent {
      case .granted: "1YNN"
      case .refused: "1YYN"
      case .undecided: "1---"
      }
  }

  /// Values of the macros in addresses, by their names in the IAB's list for video ads.
  package var addressMacros: [String: String] {
    var values = ["GPPSTRING": gppString, "GPPSECTIONID": Self.sections.map { String($0.id) }.joined(separator: ",")]
    values["REGULATIONS"] = "gdpr"
    values["LIMITADTRACKING"] = consent.forbids ? "1" : "0"
    if !tcString.isEmpty { values["GDPRCONSENT"] = tcString }
    return values
  }

  /// Replaces the macros in markup that ad servers replace.
  ///
  /// They are `${GDPR}`, `${GDPR_CONSENT_755}`, `${US_PRIVACY}`, `${GPP_STRING_755}`, `${GPP_SID}` and similar ones.
  package func filled(_ markup: [UInt8]) -> [UInt8] {
    let open = Array("${".utf8)
    var result: [UInt8] = []
    var rest = markup[...]
    while let start = rest.firstRange(of: open)?.lowerBound {
      result += rest[..<start]
      let name = rest[(start + 2)...].prefix { Self.isOfName($0) }
      let end = name.endIndex
      guard end < rest.endIndex, rest[end] == UInt8(ascii: "}"),
        let value = value(of: String(decoding: name, as: UTF8.self))
      else {
        result += open
        rest = rest[(start + 2)...]
        continue
      }
      result += value.utf8
      rest = rest[(end + 1)...]
    }
    return result + rest
  }

  private func value(of macro: String) -> String? {
    // A vendor's number may stand behind it.
    let parts = macro.split(separator: "_", omittingEmptySubsequences: false)
    let isNumbered =
      parts.count > 1 && (1...5).contains(parts[parts.count - 1].count)
      && parts[parts.count - 1].allSatisfy(\.isWholeNumber)
    switch isNumbered ? parts.dropLast().joined(separator: "_") : macro {
    case "GDPR": return isNumbered ? nil : "1"
    case "GDPR_CONSENT": return tcString
    case "GPP_STRING", "GPP": return gppString
    case "GPP_SID": return isNumbered ? nil : Self.sections.map { String($0.id) }.joined(separator: ",")
    case "US_PRIVACY": return isNumbered ? nil : usPrivacy
    // Google's list of vendors besides the IAB's; of the same mind.
    case "ADDTL_CONSENT": return isNumbered ? nil : "2~~dv."
    default: return nil
    }
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
  }
}

extension ConsentSignals {
  /// The TC string's core segment, and the segment of the disclosed vendors.
  private static func tcString(_ isGranted: Bool, _ day: Double) -> String {
    var core = BitText()
    let instant = Bounded.int(day * 10, in: 0...(1 << 36 - 1))
    core.put(2, 6)
    core.put(instant, 36)
    core.put(instant, 36)
    // Nobody's consent management platform; its version, and its screen.
    for (value, width) in [(0, 12), (1, 12), (1, 6)] { core.put(value, width) }
    core.put(letters: "EN")
    core.put(listVersion, 12)
    core.put(policyVersion, 6)
    // For this service only, with the standard's texts.
    core.put(0b10, 2)
    core.put(flags: isGranted ? features : 0, of: 12)
    core.put(flags: isGranted ? purposes : 0, of: 24)
    // Legitimate interest is no ground for purposes 1 and 3 to 6.
    for purpose in 1...24 { core.put(isGranted && (purpose == 2 || (7...purposes).contains(purpose)) ? 1 : 0, 1) }
    core.put(0, 1)
    core.put(letters: "DE")
    // By consent, then by legitimate interest.
    for _ in 0..<2 { core.put(vendors: isGranted ? vendors : 0) }
    // No restrictions of the publisher's.
    core.put(0, 12)
    var shown = BitText()
    shown.put(1, 3)
    shown.put(vendors: vendors)
    return "\(core.text).\(shown.text)"
  }

  private static func gppString(_ consent: Consent, _ tcString: String) -> String {
    guard consent != .undecided else { return gppHeader([]) }
    return "\(gppHeader(sections.map(\.id)))~\(tcString)~\(usNational(isOut: consent == .refused))"
  }

  /// Header of a GPP string: type 3, version 1 and the ids of the sections that follow.
  ///
  /// The ids must be in rising order, without consecutive numbers.
  static func gppHeader(_ sections: [Int]) -> String {
    var header = BitText()
    for (value, width) in [(3, 6), (1, 6), (sections.count, 12)] { header.put(value, width) }
    var last = 0
    for section in sections {
      header.put(0, 1)
      header.put(fibonacci: section - last)
      last = section
    }
    return header.text
  }

  /// The section `usnat`: notices were given; `isOut` means an opt-out of selling, sharing and targeting.
  private static func usNational(isOut: Bool) -> String {
    var core = BitText()
    core.put(1, 6)
    for _ in 0..<4 { core.put(1, 2) }
    // Nothing sensitive is at stake: no notices of that.
    for _ in 0..<2 { core.put(0, 2) }
    for _ in 0..<3 { core.put(isOut ? 1 : 2, 2) }
    for _ in 0..<12 { core.put(0, 2) }
    for _ in 0..<3 { core.put(0, 2) }
    // No transaction under the industry's agreement, so neither of its modes.
    core.put(2, 2)
    for _ in 0..<2 { core.put(0, 2) }
    var control = BitText()
    control.put(1, 2)
    control.put(isOut ? 1 : 0, 1)
    return "\(core.text).\(control.text)"
  }

  /// Values for the script that answers pages.
  package var script: JSONValue {
    [
      "consent": .string(consent.rawValue), "tcString": .string(tcString), "gppString": .string(gppString),
      "usPrivacy": .string(usPrivacy), "vendors": .number(Double(Self.vendors)),
      "purposes": .number(Double(Self.purposes)), "features": .number(Double(Self.features)),
      "listVersion": .number(Double(Self.listVersion)), "policyVersion": .number(Double(Self.policyVersion)),
      "sections": .array(Self.sections.map { ["id": .number(Double($0.id)), "name": .string($0.name)] }),
    ]
  }
}

/// Writer of consecutive bits in the IAB's encoding: URL-safe base 64 of whole bytes.
struct BitText {
  private var bits: [Bool] = []

  /// Appends the lowest `width` bits of a value, the highest of them first.
  mutating func put(_ value: Int, _ width: Int) {
    for place in (0..<width).reversed() { bits.append(value >> place & 1 == 1) }
  }

  /// Appends `width` flags, of which the first `set` are set.
  mutating func put(flags set: Int, of width: Int) { for place in 0..<width { bits.append(place < set) } }

  /// Appends capital letters as numbers of six bits; A is 0.
  mutating func put(letters: String) { for letter in letters.utf8 { put(Int(letter) - 65, 6) } }

  /// Appends all vendors from 1 to a number, as one range; 0 stands for no vendors.
  mutating func put(vendors: Int) {
    put(vendors, 16)
    guard vendors > 0 else { return put(0, 1) }
    put(1, 1)
    put(1, 12)
    put(1, 1)
    put(1, 16)
    put(vendors, 16)
  }

  /// Appends the Fibonacci code of a number from 1: the smallest term first, and a final bit that ends the code.
  mutating func put(fibonacci number: Int) {
    var parts = [1, 2]
    while parts[parts.count - 1] <= number { parts.append(parts[parts.count - 1] + parts[parts.count - 2]) }
    var rest = number
    var code: [Bool] = []
    for part in parts.reversed() {
      code.append(part <= rest)
      if part <= rest { rest -= part }
    }
    bits += code.drop { !$0 }.reversed() + [true]
  }

  var text: String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var padded = bits
    while padded.count % 8 != 0 { padded.append(false) }
    while padded.count % 6 != 0 { padded.append(false) }
    return String(
      stride(from: 0, to: padded.count, by: 6).map { start in
        alphabet[padded[start..<(start + 6)].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }]
      })
  }
}
