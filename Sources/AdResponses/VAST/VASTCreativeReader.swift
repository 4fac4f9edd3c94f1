internal import Core
internal import MRAID

/// Reads a `Creative`; one with both a video and companions gives both, and a faulty part doesn't affect the others.
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
    findDeadClicks(element, &flaws)
    return contents.map {
      VASTCreative(
        id: element.attribute("id"), adID: element.attribute("adId") ?? element.attribute("AdID"),
        sequence: element.integer("sequence"), universalIDs: identifiers, content: $0)
    }
  }

  /// Records click addresses that can't be opened; addresses with macros aren't checked, as their values are unknown.
  private static func findDeadClicks(_ creative: XMLTree, _ flaws: inout [VASTFlaw]) {
    let linears = creative.all("Linear")
    var clicks = linears.flatMap { $0.all("VideoClicks", "ClickThrough") }
    for icon in linears.flatMap({ $0.all("Icons", "Icon") }) { clicks += icon.all("IconClicks", "IconClickThrough") }
    for overlay in creative.all("NonLinearAds", "NonLinear") { clicks += overlay.all("NonLinearClickThrough") }
    for companion in creative.all("CompanionAds", "Companion") { clicks += companion.all("CompanionClickThrough") }
    for click in clicks {
      guard let address = click.content else {
        flaws.add(click, "<\(click.name)> has no address, so clicks open nothing")
        continue
      }
      let hasMacro = ["[", "{", "%%"].contains { address.contains($0) }
      guard !hasMacro, let problem = AdLink.destinationProblem(address) else { continue }
      flaws.add(click, "<\(click.name)> is \"\(address.shortened)\", so clicks open nothing: \(problem)")
    }
  }

  /// Reads the tracking addresses of each event; those with an unreadable moment are left out.
  static func tracking(_ element: XMLTree, _ flaws: inout [VASTFlaw]) -> [VASTTracking] {
    var events: [VASTTracking] = []
    for tracking in element.all("TrackingEvents", "Tracking") {
      guard let event = tracking.attribute("event"), let url = tracking.content else { continue }
      guard let text = tracking.attribute("offset") else {
        events.append(VASTTracking(event: event, url: url))
        continue
      }
      guard let offset = offset(tracking, "offset", text, else: "no request is sent for it", &flaws) else { continue }
      events.append(VASTTracking(event: event, offset: offset, url: url))
    }
    return events
  }

  /// Reads a moment from an attribute; nil if it is missing or unreadable, which has the given consequence.
  static func offset(
    _ element: XMLTree, _ name: String, else consequence: String, _ flaws: inout [VASTFlaw]
  ) -> VASTOffset? {
    element.attribute(name).flatMap { offset(element, name, $0, else: consequence, &flaws) }
  }

  /// Reads a moment from an attribute's text; a number alone is taken as seconds, as players do.
  private static func offset(
    _ element: XMLTree, _ name: String, _ text: String, else consequence: String, _ flaws: inout [VASTFlaw]
  ) -> VASTOffset? {
    if let offset = VASTOffset(text) { return offset }
    let seconds = VASTOffset.bareSeconds(text)
    let done = seconds.map { "read as \($0.plain) s" } ?? consequence
    flaws.add(element, "\(name)=\"\(text.shortened)\" is neither HH:MM:SS nor a percentage; \(done)")
    return seconds.map(VASTOffset.seconds)
  }

  private static func nonLinear(_ element: XMLTree) -> VASTNonLinear {
    var overlay = VASTNonLinear(
      id: element.attribute("id"), width: element.number("width"), height: element.number("height"),
      apiFramework: element.attribute("apiFramework"))
    overlay.shortestStay = element.attribute("minSuggestedDuration").flatMap(VASTOffset.seconds)
    overlay.resources = resources(element)
    overlay.clickThrough = element.child("NonLinearClickThrough")?.content
    overlay.clickTracking = element.texts("NonLinearClickTracking")
    overlay.parameters = element.child("AdParameters")?.content
    // The example of SIMID's standard has the framework at the resource.
    overlay.apiFramework = overlay.apiFramework ?? element.child("IFrameResource")?.attribute("apiFramework")
    return overlay
  }

  private static func companion(_ element: XMLTree, _ flaws: inout [VASTFlaw]) -> VASTCompanion? {
    let resources = resources(element)
    let (width, height) = (element.number("width") ?? 0, element.number("height") ?? 0)
    let clickTracking = element.texts("CompanionClickTracking")
    let tracking = tracking(element, &flaws)
    // One of a wrapper's that shows nothing only adds who is told: it needs no size.
    let onlyTells = resources.isEmpty && !(clickTracking.isEmpty && tracking.isEmpty)
    guard onlyTells || (width > 0 && height > 0) else {
      flaws.add(element, "<Companion> has no width and height; it is ignored")
      return nil
    }
    return VASTCompanion(
      id: element.attribute("id"), width: width, height: height, assetWidth: element.number("assetWidth"),
      assetHeight: element.number("assetHeight"), resources: resources,
      apiFramework: element.attribute("apiFramework"),
      alternativeText: element.child("AltText")?.content,
      clickThrough: element.child("CompanionClickThrough")?.content,
      clickTracking: clickTracking, tracking: tracking, renderingMode: element.attribute("renderingMode"))
  }

  /// Reads resources: markup first, then pages, then images, since the richer form is preferred.
  static func resources(_ element: XMLTree) -> [VASTResource] {
    element.texts("HTMLResource").map { .html($0) } + element.texts("IFrameResource").map { .page(url: $0) }
      + element.all("StaticResource").compactMap { resource in
        resource.content.map { .screenshot(url: $0, type: resource.attribute("creativeType")?.lowercased() ?? "") }
      }
  }
}

/// Reads a `Linear`.
enum VASTLinearReader {
  static func linear(_ element: XMLTree, _ flaws: inout [VASTFlaw]) -> VASTLinear {
    var linear = VASTLinear()
    linear.duration = duration(element.child("Duration"), &flaws)
    linear.skipOffset = VASTCreativeReader.offset(
      element, "skipoffset", else: "the video can't be skipped", &flaws)
    for file in element.all("MediaFiles", "MediaFile") {
      linear.mediaFiles += mediaFile(file, &flaws).map { [$0] } ?? []
    }
    linear.captions = element.all("MediaFiles").flatMap { $0.all("ClosedCaptionFiles", "ClosedCaptionFile") }
      .compactMap(caption)
    for file in element.all("MediaFiles", "InteractiveCreativeFile") {
      linear.interactiveFiles += interactiveFile(file, &flaws).map { [$0] } ?? []
    }
    linear.tracking = VASTCreativeReader.tracking(element, &flaws)
    let clicks = element.all("VideoClicks")
    linear.clickThrough = clicks.flatMap { $0.texts("ClickThrough") }.first
    linear.clickTracking = clicks.flatMap { $0.texts("ClickTracking") }
    linear.customClicks = clicks.flatMap { $0.texts("CustomClick") }
    for icon in element.all("Icons", "Icon") { linear.icons.append(self.icon(icon, &flaws)) }
    linear.parameters = element.child("AdParameters")?.content
    return linear
  }

  /// Reads the length in seconds; nil if only the file itself gives it.
  private static func duration(_ element: XMLTree?, _ flaws: inout [VASTFlaw]) -> Double? {
    guard let element, let text = element.content else { return nil }
    if let seconds = VASTOffset.seconds(text) { return seconds }
    let seconds = VASTOffset.bareSeconds(text)
    let done = seconds.map { "read as \($0.plain) s" } ?? "the file's own duration applies"
    flaws.add(element, "<Duration> is \"\(text.shortened)\", not HH:MM:SS; \(done)")
    return seconds
  }

  private static func mediaFile(_ element: XMLTree, _ flaws: inout [VASTFlaw]) -> VASTMediaFile? {
    guard let url = element.content else {
      flaws.add(element, "<MediaFile> has no address; it is ignored")
      return nil
    }
    let told = element.attribute("type")?.lowercased()
    guard let type = told ?? MediaChoice.type(of: url) else {
      flaws.add(element, "<MediaFile> has no type, and its address has no known extension; it is ignored")
      return nil
    }
    if told == nil { flaws.add(element, "<MediaFile> has no type; its address implies \(type)") }
    let file = file(element, url, type)
    if let framework = file.apiFramework, !file.isProgram, MediaChoice.playable.contains(type) {
      flaws.add(
        element, "apiFramework=\"\(framework.shortened)\" isn't a known framework; the file is played as a video")
    }
    if file.apiFramework?.uppercased() == "SIMID" {
      flaws.add(element, "a SIMID page is a <MediaFile>; it belongs in an <InteractiveCreativeFile>, so it isn't run")
    }
    return file
  }

  private static func file(_ element: XMLTree, _ url: String, _ type: String) -> VASTMediaFile {
    VASTMediaFile(
      url: url, type: type, width: element.integer("width") ?? 0, height: element.integer("height") ?? 0,
      bitrate: element.integer("bitrate") ?? element.integer("maxBitrate"),
      delivery: element.attribute("delivery")?.lowercased() == "streaming" ? .streaming : .progressive,
      apiFramework: element.attribute("apiFramework"), codec: element.attribute("codec"))
  }

  private static func interactiveFile(_ element: XMLTree, _ flaws: inout [VASTFlaw]) -> VASTMediaFile? {
    guard let url = element.content else {
      flaws.add(element, "<InteractiveCreativeFile> has no address; it is ignored")
      return nil
    }
    var file = VASTMediaFile(
      url: url, type: element.attribute("type")?.lowercased() ?? "", width: 0, height: 0,
      apiFramework: element.attribute("apiFramework") ?? "SIMID")
    file.needsVariableDuration = element.attribute("variableDuration")?.lowercased() == "true"
    if element.attribute("apiFramework") == nil {
      flaws.add(element, "<InteractiveCreativeFile> has no apiFramework; it is read as SIMID")
    }
    if file.apiFramework?.uppercased() == "SIMID", !file.isPage {
      flaws.add(
        element,
        file.type.isEmpty
          ? "<InteractiveCreativeFile> has no type; it is read as text/html"
          : "<InteractiveCreativeFile> has the type \(file.type.shortened), but SIMID requires text/html; it isn't run")
    }
    if file.apiFramework?.uppercased() == "SIMID", url.lowercased().hasPrefix("http:") {
      flaws.add(element, "<InteractiveCreativeFile> has an http address, which https pages don't load")
    }
    return file
  }

  private static func caption(_ element: XMLTree) -> VASTCaption? {
    element.content.map {
      VASTCaption(
        url: $0, type: element.attribute("type")?.lowercased() ?? "", language: element.attribute("language"))
    }
  }

  private static func icon(_ element: XMLTree, _ flaws: inout [VASTFlaw]) -> VASTIcon {
    let clicks = element.all("IconClicks")
    return VASTIcon(
      program: element.attribute("program"), width: element.number("width"), height: element.number("height"),
      x: place(element.attribute("xPosition"), end: "right"), y: place(element.attribute("yPosition"), end: "bottom"),
      offset: VASTCreativeReader.offset(element, "offset", else: "it shows from the start", &flaws),
      duration: element.attribute("duration").flatMap(VASTOffset.seconds),
      resources: VASTCreativeReader.resources(element),
      clickThrough: clicks.flatMap { $0.texts("IconClickThrough") }.first,
      clickTracking: clicks.flatMap { $0.texts("IconClickTracking") }, viewTracking: element.texts("IconViewTracking"))
  }

  private static func place(_ text: String?, end: String) -> VASTIcon.Place {
    if text?.lowercased() == end { return .end }
    return text.flatMap { Bounded.decimal($0, in: -100_000...100_000) }.map { .at($0) } ?? .start
  }
}
