internal import Core

/// Reads a `Creative`; one with both a film and companions gives both, and a flawed part costs itself only.
enum VASTCreativeReader {
  static func creatives(_ element: XMLTree, _ flaws: inout [VASTFlaw]) -> [VASTCreative] {
    var contents: [VASTCreative.Content] = []
    for linear in element.all("Linear") { contents.append(.linear(VASTLinearReader.linear(linear, &flaws))) }
    for overlays in element.all("NonLinearAds") {
      contents.append(.nonLinear(overlays.all("NonLinear").map(nonLinear), tracking: tracking(overlays, &flaws)))
    }
    for ads in element.all("CompanionAds") {
      let required = ads.attribute("required").flatMap { VASTCompanion.Required(rawValue: $0.lowercased()) } ?? .none
      var companions: [VASTCompanion] = []
      for one in ads.all("Companion") { companions += companion(one, &flaws).map { [$0] } ?? [] }
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

  /// What is asked at which event; of one whose moment can't be read nobody is ever told.
  static func tracking(_ element: XMLTree, _ flaws: inout [VASTFlaw]) -> [VASTTracking] {
    var events: [VASTTracking] = []
    for tracking in element.all("TrackingEvents", "Tracking") {
      guard let event = tracking.attribute("event"), let url = tracking.content else { continue }
      guard let text = tracking.attribute("offset") else {
        events.append(VASTTracking(event: event, url: url))
        continue
      }
      guard let offset = offset(tracking, "offset", text, else: "nobody is told of it", &flaws) else { continue }
      events.append(VASTTracking(event: event, offset: offset, url: url))
    }
    return events
  }

  /// A moment in an attribute; nil where it is missing, or can't be read and so has this consequence.
  static func offset(
    _ element: XMLTree, _ name: String, else consequence: String, _ flaws: inout [VASTFlaw]
  ) -> VASTOffset? {
    element.attribute(name).flatMap { offset(element, name, $0, else: consequence, &flaws) }
  }

  /// The same of what stands in the attribute; a bare number is taken for seconds, as players do.
  private static func offset(
    _ element: XMLTree, _ name: String, _ text: String, else consequence: String, _ flaws: inout [VASTFlaw]
  ) -> VASTOffset? {
    if let offset = VASTOffset(text) { return offset }
    let seconds = VASTOffset.bareSeconds(text)
    let done = seconds.map { "taken for \($0.plain) s" } ?? consequence
    flaws.add(element, "\(name)=\"\(text.shortened)\" is neither HH:MM:SS nor a percentage; \(done)")
    return seconds.map(VASTOffset.seconds)
  }

  private static func nonLinear(_ element: XMLTree) -> VASTNonLinear {
    VASTNonLinear(
      id: element.attribute("id"), width: element.number("width"), height: element.number("height"),
      apiFramework: element.attribute("apiFramework"))
  }

  private static func companion(_ element: XMLTree, _ flaws: inout [VASTFlaw]) -> VASTCompanion? {
    guard let width = element.number("width"), let height = element.number("height"), width > 0, height > 0 else {
      flaws.add(element, "<Companion> has no width and height; it is left out")
      return nil
    }
    return VASTCompanion(
      id: element.attribute("id"), width: width, height: height, assetWidth: element.number("assetWidth"),
      assetHeight: element.number("assetHeight"), resources: resources(element),
      apiFramework: element.attribute("apiFramework"),
      alternativeText: element.child("AltText")?.content,
      clickThrough: element.child("CompanionClickThrough")?.content,
      clickTracking: element.texts("CompanionClickTracking"), tracking: tracking(element, &flaws),
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
