import Testing

@testable import RenderModel

/// Consent signals for ads, in the form of the IAB's own documents.
@Suite struct ConsentTests {
  private let day = 1_798_070_400.0

  /// Reads the values at the beginning of a TCF string, by their widths.
  private func core(_ string: String) throws -> [String: Int] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let bits = try string.prefix { $0 != "." }.flatMap { letter in
      let value = try #require(alphabet.firstIndex(of: letter))
      return (0..<6).reversed().map { value >> $0 & 1 }
    }
    var place = 0
    func next(_ width: Int) -> Int {
      defer { place += width }
      return bits[place..<(place + width)].reduce(0) { $0 << 1 | $1 }
    }
    var values: [String: Int] = [:]
    for (name, width) in [
      ("version", 6), ("created", 36), ("updated", 36), ("cmp", 12), ("cmpVersion", 12), ("screen", 6),
      ("language", 12),
      ("list", 12), ("policy", 6), ("specific", 1), ("texts", 1), ("features", 12), ("purposes", 24), ("interests", 24),
      ("treatment", 1), ("country", 12), ("vendors", 16), ("isRange", 1),
    ] { values[name] = next(width) }
    if values["isRange"] == 1 {
      for (name, width) in [("ranges", 12), ("isARange", 1), ("first", 16), ("last", 16)] { values[name] = next(width) }
    }
    return values
  }

  @Test func aGrantedStringHasAllPurposesAndVendors() throws {
    let values = try core(ConsentSignals(.granted, date: day + 5_000).tcString)
    #expect(values["version"] == 2 && values["created"] == 17_980_704_000 && values["updated"] == 17_980_704_000)
    #expect(values["purposes"] == 0b1111_1111_1110_0000_0000_0000 && values["features"] == 0b1100_0000_0000)
    #expect(values["interests"] == 0b0100_0011_1110_0000_0000_0000)
    #expect(values["isRange"] == 1 && values["ranges"] == 1 && values["first"] == 1 && values["last"] == 2_000)
    #expect(values["language"] == 4 << 6 | 13 && values["country"] == 3 << 6 | 4)
  }

  @Test func aRefusedStringHasNone() throws {
    let values = try core(ConsentSignals(.refused, date: day).tcString)
    #expect(values["purposes"] == 0 && values["interests"] == 0 && values["features"] == 0)
    #expect(values["vendors"] == 0 && values["isRange"] == 0)
  }

  /// Compares headers with examples of the GPP's own documents.
  @Test(arguments: [([2], "DBABMA"), ([2, 6], "DBACNYA"), ([7], "DBABLA")])
  func headersAreAsTheStandardHasThem(sections: [Int], header: String) {
    #expect(ConsentSignals.gppHeader(sections) == header)
  }

  @Test func theOtherStringsSayTheSame() {
    let (granted, refused) = (ConsentSignals(.granted, date: day), ConsentSignals(.refused, date: day))
    #expect(granted.usPrivacy == "1YNN" && refused.usPrivacy == "1YYN")
    #expect(granted.gppString.hasPrefix("DBACMMA~\(granted.tcString)~"))
    // Sale, sharing and targeting: 2 for not opted out, 1 for out.
    #expect(granted.gppString.hasSuffix("~BVQqAAAAAgA.QA") && refused.gppString.contains("~BVQVAAAAAgA."))
    let open = ConsentSignals(.undecided, date: day)
    #expect(open.tcString == "" && open.usPrivacy == "1---" && open.gppString == "DBAA")
    #expect(open.addressMacros["GDPRCONSENT"] == nil && open.addressMacros["LIMITADTRACKING"] == "1")
  }

  @Test func macrosOfMarkupAreFilled() {
    let signals = ConsentSignals(.refused, date: day)
    func filled(_ text: String) -> String { String(decoding: signals.filled(Array(text.utf8)), as: UTF8.self) }
    #expect(filled("?gdpr=${GDPR}&c=${GDPR_CONSENT_755}&u=${US_PRIVACY}") == "?gdpr=1&c=\(signals.tcString)&u=1YYN")
    #expect(filled("${GPP_SID} ${GPP_STRING_12}") == "2,7 \(signals.gppString)")
    for kept in [
      "${GDPR", "${gdpr}", "`${GDPRX}`", "${US_PRIVACY_5}", "$GDPR", "${}", "a${", "${GDPR_CONSENT_1234567}",
    ] {
      #expect(filled(kept) == kept)
    }
    #expect(filled("${${GDPR}}") == "${1}")
  }
}
