internal import Core

/// Reads VAST 2.0 to 4.3 as players do: ignores extensions, and corrects or leaves out parts that break the standard.
package enum VASTParser {
  /// Versions whose documents are all read in the same way.
  private static let versions: Set<String> = ["2.0", "2.0.1", "3.0", "4.0", "4.1", "4.2", newest]
  static let newest = "4.3"

  /// Parses a document; throws if it isn't VAST, has an unsupported version, or has only ads that can't be read.
  package static func parse(_ bytes: [UInt8]) throws(VASTParseError) -> VASTDocument {
    try parse(XMLTreeReader.read(bytes))
  }

  /// Parses the document under this element, which may be part of another document.
  static func parse(_ root: XMLTree) throws(VASTParseError) -> VASTDocument {
    guard root.name == "VAST" else {
      let isOld = root.name == "VideoAdServingTemplate"
      throw VASTParseError(
        code: isOld ? .versionNotSupported : .schemaValidation, line: root.line,
        reason: isOld
          ? "this is VAST 1; supported versions are 2.0 to \(newest)" : "the root is <\(root.name)>, not <VAST>")
    }
    var flaws: [VASTFlaw] = []
    let version = try version(of: root, &flaws)
    var ads: [VASTAd] = []
    var first: VASTParseError?
    for element in root.all("Ad") {
      do throws(VASTParseError) {
        ads.append(try ad(element, &flaws))
      } catch {
        first = first ?? error
        flaws.append(VASTFlaw(line: error.line, reason: "\(error.reason); the ad is skipped"))
      }
    }
    if ads.isEmpty, let first { throw first }
    var document = VASTDocument(version: version, ads: ads, errors: root.texts("Error"), flaws: flaws)
    document.departures = VASTSchemaReader.departures(of: root, version: version, flaws: flaws)
    return document
  }

  /// Returns the document's version; a missing one, or a later one of a known line, is read as the newest.
  private static func version(of root: XMLTree, _ flaws: inout [VASTFlaw]) throws(VASTParseError) -> String {
    guard let version = root.attribute("version") else {
      flaws.add(root, "<VAST> has no version; it is read as \(newest)")
      return newest
    }
    if versions.contains(version) { return version }
    let parts = version.split(separator: ".", omittingEmptySubsequences: false)
    guard version.utf8.count <= 8, ["2", "3", "4"].contains(parts[0]),
      parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isWholeNumber) })
    else {
      throw VASTParseError(
        code: .versionNotSupported, line: root.line,
        reason: "VAST \(version) is unknown; supported versions are 2.0 to \(newest)")
    }
    flaws.add(root, "VAST \(version) is unknown; it is read as \(newest)")
    return version
  }

  private static func ad(_ element: XMLTree, _ flaws: inout [VASTFlaw]) throws(VASTParseError) -> VASTAd {
    let sequence = element.integer("sequence").flatMap { $0 > 0 ? $0 : nil }
    if let inLine = element.child("InLine") {
      return VASTAd(
        id: element.attribute("id"), sequence: sequence, line: element.line, adType: element.attribute("adType"),
        parts: parts(inLine, &flaws), content: .inLine(Self.inLine(inLine)))
    }
    guard let wrapper = element.child("Wrapper") else {
      throw VASTParseError(
        code: .schemaValidation, line: element.line, reason: "<Ad> has neither <InLine> nor <Wrapper>")
    }
    guard let tag = wrapper.child("VASTAdTagURI")?.content ?? oldTag(of: wrapper, &flaws) else {
      throw VASTParseError(
        code: .schemaValidation, line: wrapper.line, reason: "<Wrapper> has no <VASTAdTagURI>")
    }
    let content = VASTWrapper(
      tag: tag, followsWrappers: wrapper.flag("followAdditionalWrappers") ?? true,
      allowsMultipleAds: wrapper.flag("allowMultipleAds") ?? false, fallsBack: wrapper.flag("fallbackOnNoAd"),
      blockedCategories: wrapper.texts("BlockedAdCategories"))
    return VASTAd(
      id: element.attribute("id"), sequence: sequence, line: element.line, adType: element.attribute("adType"),
      parts: parts(wrapper, &flaws), content: .wrapper(content))
  }

  private static func inLine(_ inLine: XMLTree) -> VASTInLine {
    VASTInLine(
      title: inLine.child("AdTitle")?.content, advertiser: inLine.child("Advertiser")?.content,
      adServingID: inLine.child("AdServingId")?.content, categories: inLine.texts("Category"),
      description: inLine.child("Description")?.content, survey: inLine.child("Survey")?.content,
      expires: inLine.child("Expires")?.content.flatMap { Bounded.decimal($0) }.flatMap { Int(exactly: $0) })
  }

  private static func pricing(_ element: XMLTree) -> VASTPricing {
    VASTPricing(
      model: element.attribute("model"), currency: element.attribute("currency"),
      value: element.content.flatMap { Bounded.decimal($0) })
  }

  /// Returns a wrapper's address from the element of VAST 1, which still occurs; nil if there is none.
  private static func oldTag(of wrapper: XMLTree, _ flaws: inout [VASTFlaw]) -> String? {
    guard let old = wrapper.child("VASTAdTagURL"), let tag = old.child("URL")?.content ?? old.content else {
      return nil
    }
    flaws.add(old, "<VASTAdTagURL> is from VAST 1; it is read as <VASTAdTagURI>")
    return tag
  }

  private static func parts(_ element: XMLTree, _ flaws: inout [VASTFlaw]) -> VASTAdParts {
    var parts = VASTAdParts()
    parts.system = element.child("AdSystem")?.content
    parts.impressions = element.texts("Impression")
    parts.errors = element.texts("Error")
    parts.pricing = element.child("Pricing").map(pricing)
    for creative in element.all("Creatives", "Creative") {
      parts.creatives += VASTCreativeReader.creatives(creative, &flaws)
    }
    parts.extensions = element.all("Extensions", "Extension").map {
      VASTExtension(type: $0.attribute("type"), xml: $0.xml)
    }
    // Before 4.1 verifications stood in an extension of this type.
    let old = element.all("Extensions", "Extension").filter { $0.attribute("type") == "AdVerifications" }
    let holders = element.all("AdVerifications") + old.flatMap { $0.all("AdVerifications") }
    parts.verifications = holders.flatMap { $0.all("Verification") }.map(verification)
    for impression in element.all("ViewableImpression") {
      parts.viewable.viewable += impression.texts("Viewable")
      parts.viewable.notViewable += impression.texts("NotViewable")
      parts.viewable.undetermined += impression.texts("ViewUndetermined")
    }
    return parts
  }

  private static func verification(_ element: XMLTree) -> VASTVerification {
    let resources = element.all("JavaScriptResource") + element.all("ExecutableResource") + element.all("FlashResource")
    let events = element.all("TrackingEvents", "Tracking").filter { $0.attribute("event") == "verificationNotExecuted" }
    var verification = VASTVerification(
      vendor: element.attribute("vendor"), resources: resources.compactMap(\.content),
      apiFramework: resources.compactMap { $0.attribute("apiFramework") }.first,
      parameters: element.child("VerificationParameters")?.content, notExecuted: events.compactMap(\.content))
    verification.scripts = element.all("JavaScriptResource").compactMap { script in
      script.content.map {
        VASTVerificationScript(
          url: $0, apiFramework: script.attribute("apiFramework"),
          isBrowserOptional: script.flag("browserOptional") ?? false)
      }
    }
    return verification
  }
}
