/// Reads VAST 2.0 to 4.2; what a document says beyond the standard is passed over.
package enum VASTParser {
  /// Versions whose documents are read alike.
  private static let versions: Set<String> = ["2.0", "2.0.1", "3.0", "4.0", "4.1", "4.2"]

  /// The document; throws where it is no VAST of a version that is known, and says on which line.
  package static func parse(_ bytes: [UInt8]) throws(VASTParseError) -> VASTDocument {
    let root = try XMLTreeReader.read(bytes)
    guard root.name == "VAST" else {
      let isOld = root.name == "VideoAdServingTemplate"
      throw VASTParseError(
        code: isOld ? .versionNotSupported : .schemaValidation, line: root.line,
        reason: isOld ? "this is VAST 1; 2.0 to 4.2 are played" : "the root is <\(root.name)>, not <VAST>")
    }
    guard let version = root.attribute("version") else {
      throw VASTParseError(code: .schemaValidation, line: root.line, reason: "<VAST> doesn't say which version it is")
    }
    guard versions.contains(version) else {
      throw VASTParseError(
        code: .versionNotSupported, line: root.line, reason: "VAST \(version) isn't known; 2.0 to 4.2 are played")
    }
    var ads: [VASTAd] = []
    for element in root.all("Ad") { ads.append(try ad(element)) }
    return VASTDocument(version: version, ads: ads, errors: root.texts("Error"))
  }

  private static func ad(_ element: XMLTree) throws(VASTParseError) -> VASTAd {
    let sequence = element.integer("sequence").flatMap { $0 > 0 ? $0 : nil }
    if let inLine = element.child("InLine") {
      let content = VASTInLine(
        title: inLine.child("AdTitle")?.content, advertiser: inLine.child("Advertiser")?.content,
        adServingID: inLine.child("AdServingId")?.content, categories: inLine.texts("Category"))
      return VASTAd(
        id: element.attribute("id"), sequence: sequence, line: element.line, parts: try parts(inLine),
        content: .inLine(content))
    }
    guard let wrapper = element.child("Wrapper") else {
      throw VASTParseError(
        code: .schemaValidation, line: element.line, reason: "<Ad> has neither <InLine> nor <Wrapper>")
    }
    guard let tag = wrapper.child("VASTAdTagURI")?.content else {
      throw VASTParseError(
        code: .schemaValidation, line: wrapper.line, reason: "<Wrapper> has no <VASTAdTagURI> to follow")
    }
    let content = VASTWrapper(
      tag: tag, followsWrappers: wrapper.flag("followAdditionalWrappers") ?? true,
      allowsMultipleAds: wrapper.flag("allowMultipleAds") ?? false, fallsBack: wrapper.flag("fallbackOnNoAd"))
    return VASTAd(
      id: element.attribute("id"), sequence: sequence, line: element.line, parts: try parts(wrapper),
      content: .wrapper(content))
  }

  private static func parts(_ element: XMLTree) throws(VASTParseError) -> VASTAdParts {
    var parts = VASTAdParts()
    parts.system = element.child("AdSystem")?.content
    parts.impressions = element.texts("Impression")
    parts.errors = element.texts("Error")
    for creative in element.all("Creatives", "Creative") {
      parts.creatives += try VASTCreativeReader.creatives(creative)
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
    return VASTVerification(
      vendor: element.attribute("vendor"), resources: resources.compactMap(\.content),
      apiFramework: resources.compactMap { $0.attribute("apiFramework") }.first,
      parameters: element.child("VerificationParameters")?.content, notExecuted: events.compactMap(\.content))
  }
}
