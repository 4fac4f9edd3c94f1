internal import Core

/// Values of the macros of an address (VAST 4.3 §6, the IAB's list); each is percent-encoded when it is inserted.
package struct VASTMacros: Hashable, Sendable {
  /// Values by the macro's name, without brackets.
  package var values: [String: String]

  package init(_ values: [String: String] = [:]) { self.values = values }

  /// Placeholder for an unknown value, which could be known but isn't.
  package static let unknown = "-1"
  /// Placeholder for a value that is known and withheld.
  package static let withheld = "-2"

  /// Replaces every macro that the standard defines; other text in brackets stays.
  ///
  /// Macros in `leaving` stay as well, for a log that is the same in every run.
  package func replaced(in address: String, leaving: Set<String> = []) -> String {
    var result = ""
    var rest = address[...]
    while let open = rest.firstIndex(of: "[") {
      result += rest[..<open]
      guard let close = rest[open...].firstIndex(of: "]") else { break }
      let name = String(rest[rest.index(after: open)..<close])
      if leaving.contains(name) || (values[name] == nil && !Self.names.contains(name)) {
        // Not a macro, or one that stays; another may begin inside.
        result += "["
        rest = rest[rest.index(after: open)...]
      } else {
        result += Self.encoded(values[name] ?? Self.unknown)
        rest = rest[rest.index(after: close)...]
      }
    }
    return result + rest
  }

  /// Macros whose value differs from run to run.
  package static let volatile: Set<String> = [
    "TIMESTAMP", "CACHEBUSTING", "ADPLAYHEAD", "MEDIAPLAYHEAD", "CONTENTPLAYHEAD",
  ]

  /// Names in the standard's list of 59 macros, deprecated ones and those of earlier lists included.
  private static let names: Set<String> = [
    "ADCATEGORIES", "ADCOUNT", "ADPLAYHEAD", "ADSERVINGID", "ADTYPE", "APIFRAMEWORKS", "APPBUNDLE", "APPNAME",
    "ASSETURI", "BLOCKEDADCATEGORIES", "BREAKMAXADLENGTH", "BREAKMAXADS", "BREAKMAXDURATION", "BREAKMINADLENGTH",
    "BREAKMINDURATION", "BREAKPOSITION", "CACHEBUSTING", "CLICKPOS", "CLICKTYPE", "CLIENTUA", "CONTENTCAT",
    "CONTENTID", "CONTENTPLAYHEAD", "CONTENTURI", "DEVICEIP", "DEVICEUA", "DOMAIN", "DSAPARAMS", "DSAPUBRENDER",
    "DSAREQUIRED", "ERRORCODE", "EXTENSIONS", "GDPRCONSENT", "GPPSECTIONID", "GPPSTRING", "IFA", "IFATYPE",
    "INVENTORYSTATE", "LATLONG", "LIMITADTRACKING", "MEDIAMIME", "MEDIAPLAYHEAD", "OMIDPARTNER", "PAGEURL",
    "PLACEMENTTYPE", "PLAYBACKMETHODS", "PLAYERCAPABILITIES", "PLAYERSIZE", "PLAYERSTATE", "PODSEQUENCE", "REASON",
    "REGULATIONS", "SERVERSIDE", "SERVERUA", "STOREID", "STOREURL", "TIMESTAMP", "TRANSACTIONID", "UNIVERSALADID",
    "VASTVERSIONS", "VERIFICATIONVENDORS",
  ]

  /// Percent-encodes all but RFC 3986's unreserved characters; lists keep their commas.
  private static func encoded(_ value: String) -> String {
    let kept = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~,".utf8)
    let digits = Array("0123456789ABCDEF")
    return value.utf8.map { byte in
      kept.contains(byte)
        ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }.joined()
  }
}
