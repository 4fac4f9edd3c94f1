internal import Core

/// Schedule of ads for a programme (IAB VMAP 1.0.1) as it was written, before any loading.
package struct VMAPDocument: Hashable, Sendable {
  /// Version as the document gives it, for example `1.0`.
  package var version: String
  /// Breaks in the document's order.
  package var breaks: [VMAPBreak]
  /// Faults that were corrected or ignored; a response in a break has its own.
  package var flaws: [VASTFlaw]

  package init(version: String, breaks: [VMAPBreak], flaws: [VASTFlaw] = []) {
    self.version = version
    self.breaks = breaks
    self.flaws = flaws
  }

  /// Breaks in the order of the programme: at its start, by their time, by their position, at its end.
  package var schedule: [VMAPBreak] {
    breaks.enumerated().sorted { (Self.rank($0.element), $0.offset) < (Self.rank($1.element), $1.offset) }
      .map(\.element)
  }

  /// Rank of a break in the programme; shares are counted as shares of an hour, since its length is unknown.
  private static func rank(_ adBreak: VMAPBreak) -> Double {
    switch adBreak.offset {
    case .start: -1
    case .at(let offset): offset.seconds(of: 3600) ?? 0
    case .position(let place): 1e6 + Double(place)
    case .end: 1e9
    }
  }
}

/// One interruption of a programme.
package struct VMAPBreak: Hashable, Sendable {
  package var id: String?
  package var offset: Offset
  /// Types of its ads: `linear`, `nonlinear`, `display`.
  package var types: [String]
  /// Seconds after which the break is repeated; nil if it isn't.
  package var repeatAfter: Double?
  /// Source of its ads; nil for a break that only has tracking.
  package var source: Source?
  /// Indicates that all ads of its response count; nil if the player may choose.
  package var allowsMultipleAds: Bool?
  package var followsRedirects: Bool?
  /// Addresses for `breakStart`, `breakEnd` and `error`.
  package var tracking: [VASTTracking]
  /// Line in its document, from 1.
  package var line: Int

  /// Time of the break in the programme.
  package enum Offset: Hashable, Sendable {
    case start, end
    case at(VASTOffset)
    /// Number of the opportunity for a break, from 1.
    case position(Int)
  }

  /// Source of a break's ads.
  package enum Source: Hashable, Sendable {
    case document(VASTDocument)
    /// Address of a response, and the kind of that response, for example `vast3`.
    case tag(String, template: String?)
    /// Data in the format of one particular player.
    case custom(template: String?)
  }

  /// Returns the addresses to request at an event.
  package func beacons(_ event: String) -> [String] { tracking.filter { $0.event == event }.map(\.url) }

  /// Its ads as one response that can be resolved; nil if it has none in a known format.
  package var response: VASTDocument? {
    switch source {
    case .document(var document)?:
      document.errors += beacons("error")
      guard allowsMultipleAds == false, let first = document.pod.first else { return document }
      // One ad only: the pod's first, or else whichever stands alone.
      document.ads = [first] + document.standAlone
      return document
    case .tag(let url, _)?:
      var parts = VASTAdParts()
      parts.errors = beacons("error")
      let wrapper = VASTWrapper(
        tag: url, followsWrappers: followsRedirects ?? true, allowsMultipleAds: allowsMultipleAds ?? true)
      let ad = VASTAd(id: id, sequence: nil, line: line, parts: parts, content: .wrapper(wrapper))
      return VASTDocument(version: VASTParser.newest, ads: [ad], errors: [])
    case .custom?, nil: return nil
    }
  }
}

/// Reads VMAP: ignores extensions, and leaves out breaks that don't conform to the standard.
package enum VMAPParser {
  /// Parses the schedule; throws if it isn't VMAP, or none of its breaks can be read.
  package static func parse(_ bytes: [UInt8]) throws(VASTParseError) -> VMAPDocument {
    let root = try XMLTreeReader.read(bytes)
    guard root.name == "VMAP" else {
      throw VASTParseError(
        code: .schemaValidation, line: root.line, reason: "the root is <\(root.name)>, not <VMAP>")
    }
    var flaws: [VASTFlaw] = []
    if root.attribute("version") == nil { flaws.add(root, "<VMAP> has no version") }
    var breaks: [VMAPBreak] = []
    var first: VASTParseError?
    for element in root.all("AdBreak") {
      do throws(VASTParseError) {
        breaks.append(try adBreak(element, &flaws))
      } catch {
        first = first ?? error
        flaws.append(VASTFlaw(line: error.line, reason: "\(error.reason); the break is skipped"))
      }
    }
    if breaks.isEmpty, let first { throw first }
    return VMAPDocument(version: root.attribute("version") ?? "1.0", breaks: breaks, flaws: flaws)
  }

  private static func adBreak(_ element: XMLTree, _ flaws: inout [VASTFlaw]) throws(VASTParseError) -> VMAPBreak {
    let text = element.attribute("timeOffset") ?? ""
    guard let offset = VMAPBreak.Offset(text) else {
      throw VASTParseError(
        code: .schemaValidation, line: element.line,
        reason: text.isEmpty ? "<AdBreak> has no timeOffset" : "timeOffset=\"\(text.shortened)\" isn't a time offset")
    }
    let types = (element.attribute("breakType") ?? "linear").lowercased().split { $0 == "," || $0 == " " }
    let source = element.child("AdSource")
    return VMAPBreak(
      id: element.attribute("breakId"), offset: offset, types: types.map(String.init),
      repeatAfter: element.attribute("repeatAfter").flatMap(VASTOffset.seconds),
      source: try source.flatMap { (element) throws(VASTParseError) in try ads(element) },
      allowsMultipleAds: source?.flag("allowMultipleAds"), followsRedirects: source?.flag("followRedirects"),
      tracking: VASTCreativeReader.tracking(element, &flaws), line: element.line)
  }

  /// Reads the source of a break, by the element names of VMAP 1.0 and of drafts that still occur.
  private static func ads(_ element: XMLTree) throws(VASTParseError) -> VMAPBreak.Source? {
    for name in ["VASTAdData", "VASTData"] {
      guard let holder = element.child(name) else { continue }
      guard let root = holder.children.first else {
        throw VASTParseError(code: .schemaValidation, line: holder.line, reason: "<\(name)> contains no response")
      }
      return .document(try VASTParser.parse(root))
    }
    if let tag = element.child("AdTagURI") {
      guard let url = tag.content else {
        throw VASTParseError(code: .schemaValidation, line: tag.line, reason: "<AdTagURI> has no address")
      }
      return .tag(url, template: tag.attribute("templateType"))
    }
    if let custom = element.child("CustomAdData") { return .custom(template: custom.attribute("templateType")) }
    throw VASTParseError(code: .schemaValidation, line: element.line, reason: "<AdSource> has no ads and no address")
  }
}

extension VMAPBreak.Offset {
  /// Parses `start`, `end`, `00:10:00`, `25%` or `#2`; nil for anything else.
  init?(_ text: String) {
    switch text {
    case "start": self = .start
    case "end": self = .end
    case let text where text.hasPrefix("#"):
      guard let place = Int(text.dropFirst()), (1...10_000).contains(place) else { return nil }
      self = .position(place)
    default:
      guard let offset = VASTOffset(text) else { return nil }
      self = .at(offset)
    }
  }
}

extension VMAPBreak.Offset: CustomStringConvertible {
  /// Text as a document has it.
  package var description: String {
    switch self {
    case .start: "start"
    case .end: "end"
    case .at(let offset): offset.description
    case .position(let place): "#\(place)"
    }
  }
}

extension VASTOffset: CustomStringConvertible {
  /// Text as a document has it: `00:00:05.250`, `25%`.
  package var description: String {
    switch self {
    case .seconds(let seconds): Self.text(seconds)
    case .share(let share): "\((share * 100).plain)%"
    }
  }
}
