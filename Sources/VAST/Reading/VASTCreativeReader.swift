/// Reads a `Creative`; one with both a film and companions gives both.
enum VASTCreativeReader {
  static func creatives(_ element: XMLTree) throws(VASTParseError) -> [VASTCreative] {
    var contents: [VASTCreative.Content] = []
    for linear in element.all("Linear") { contents.append(.linear(try VASTLinearReader.linear(linear))) }
    for overlays in element.all("NonLinearAds") {
      contents.append(.nonLinear(overlays.all("NonLinear").map(nonLinear), tracking: try tracking(overlays)))
    }
    for ads in element.all("CompanionAds") {
      let required = ads.attribute("required").flatMap { VASTCompanion.Required(rawValue: $0.lowercased()) } ?? .none
      var companions: [VASTCompanion] = []
      for one in ads.all("Companion") { companions.append(try companion(one)) }
      contents.append(.companions(companions, required: required))
    }
    let identifiers = element.all("UniversalAdId").compactMap { identifier -> String? in
      // 4.0 had the value in an attribute.
      guard let value = identifier.content ?? identifier.attribute("idValue") else { return nil }
      return "\(identifier.attribute("idRegistry") ?? "unknown"):\(value)"
    }
    return contents.map {
      VASTCreative(
        id: element.attribute("id"), adID: element.attribute("adId") ?? element.attribute("AdID"),
        sequence: element.integer("sequence"), universalIDs: identifiers, content: $0)
    }
  }

  /// What is asked at which event; an offset that can't be read is an error, since nobody would ever be asked.
  static func tracking(_ element: XMLTree) throws(VASTParseError) -> [VASTTracking] {
    var events: [VASTTracking] = []
    for tracking in element.all("TrackingEvents", "Tracking") {
      guard let event = tracking.attribute("event"), let url = tracking.content else { continue }
      let offset = try offset(tracking, "offset")
      events.append(VASTTracking(event: event, offset: offset, url: url))
    }
    return events
  }

  /// A moment in an attribute; nil where it is missing.
  static func offset(_ element: XMLTree, _ name: String) throws(VASTParseError) -> VASTOffset? {
    guard let text = element.attribute(name) else { return nil }
    guard let offset = VASTOffset(text) else {
      let reason = "\(name)=\"\(text)\" is neither HH:MM:SS nor a percentage"
      throw VASTParseError(code: .schemaValidation, line: element.line, reason: reason)
    }
    return offset
  }

  private static func nonLinear(_ element: XMLTree) -> VASTNonLinear {
    VASTNonLinear(
      id: element.attribute("id"), width: element.number("width"), height: element.number("height"),
      apiFramework: element.attribute("apiFramework"))
  }

  private static func companion(_ element: XMLTree) throws(VASTParseError) -> VASTCompanion {
    guard let width = element.number("width"), let height = element.number("height"), width > 0, height > 0 else {
      throw VASTParseError(code: .schemaValidation, line: element.line, reason: "<Companion> has no width and height")
    }
    return VASTCompanion(
      id: element.attribute("id"), width: width, height: height, assetWidth: element.number("assetWidth"),
      assetHeight: element.number("assetHeight"), resources: resources(element),
      apiFramework: element.attribute("apiFramework"),
      alternativeText: element.child("AltText")?.content,
      clickThrough: element.child("CompanionClickThrough")?.content,
      clickTracking: element.texts("CompanionClickTracking"), tracking: try tracking(element),
      renderingMode: element.attribute("renderingMode"))
  }

  /// Markup first, then pages, then pictures: the more an advertiser made of it, the sooner it is shown.
  static func resources(_ element: XMLTree) -> [VASTResource] {
    element.texts("HTMLResource").map { .html($0) } + element.texts("IFrameResource").map { .page(url: $0) }
      + element.all("StaticResource").compactMap { resource in
        resource.content.map { .picture(url: $0, type: resource.attribute("creativeType")?.lowercased() ?? "") }
      }
  }
}
