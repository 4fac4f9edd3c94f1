internal import Core

/// Reads a `Linear`.
enum VASTLinearReader {
  static func linear(_ element: XMLTree, _ flaws: inout [VASTFlaw]) -> VASTLinear {
    var linear = VASTLinear()
    linear.duration = duration(element.child("Duration"), &flaws)
    linear.skipOffset = VASTCreativeReader.offset(
      element, "skipoffset", else: "the film can't be skipped", &flaws)
    for file in element.all("MediaFiles", "MediaFile") {
      linear.mediaFiles += mediaFile(file, &flaws).map { [$0] } ?? []
    }
    linear.interactiveFiles = element.all("MediaFiles", "InteractiveCreativeFile").compactMap(interactiveFile)
    linear.tracking = VASTCreativeReader.tracking(element, &flaws)
    let clicks = element.all("VideoClicks")
    linear.clickThrough = clicks.flatMap { $0.texts("ClickThrough") }.first
    linear.clickTracking = clicks.flatMap { $0.texts("ClickTracking") }
    linear.customClicks = clicks.flatMap { $0.texts("CustomClick") }
    for icon in element.all("Icons", "Icon") { linear.icons.append(self.icon(icon, &flaws)) }
    linear.parameters = element.child("AdParameters")?.content
    return linear
  }

  /// Seconds; nil where the file itself has to say.
  private static func duration(_ element: XMLTree?, _ flaws: inout [VASTFlaw]) -> Double? {
    guard let element, let text = element.content else { return nil }
    if let seconds = VASTOffset.seconds(text) { return seconds }
    let seconds = VASTOffset.bareSeconds(text)
    let done = seconds.map { "taken for \($0.plain) s" } ?? "the file says how long it is"
    flaws.add(element, "<Duration> is \"\(text.shortened)\", not HH:MM:SS; \(done)")
    return seconds
  }

  private static func mediaFile(_ element: XMLTree, _ flaws: inout [VASTFlaw]) -> VASTMediaFile? {
    guard let url = element.content else {
      flaws.add(element, "<MediaFile> has no address; it is left out")
      return nil
    }
    let told = element.attribute("type")?.lowercased()
    guard let type = told ?? MediaChoice.type(of: url) else {
      flaws.add(element, "<MediaFile> has no type, and its address doesn't end in one; it is left out")
      return nil
    }
    if told == nil { flaws.add(element, "<MediaFile> has no type; by its address it is \(type)") }
    let file = file(element, url, type)
    if let framework = file.apiFramework, !file.isProgram, MediaChoice.playable.contains(type) {
      flaws.add(element, "apiFramework=\"\(framework.shortened)\" is no program's; the file is played as a film")
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

  private static func interactiveFile(_ element: XMLTree) -> VASTMediaFile? {
    element.content.map {
      VASTMediaFile(
        url: $0, type: element.attribute("type")?.lowercased() ?? "", width: 0, height: 0,
        apiFramework: element.attribute("apiFramework") ?? "SIMID")
    }
  }

  private static func icon(_ element: XMLTree, _ flaws: inout [VASTFlaw]) -> VASTIcon {
    let clicks = element.all("IconClicks")
    return VASTIcon(
      program: element.attribute("program"), width: element.number("width"), height: element.number("height"),
      x: place(element.attribute("xPosition"), end: "right"), y: place(element.attribute("yPosition"), end: "bottom"),
      offset: VASTCreativeReader.offset(element, "offset", else: "it shows from the start", &flaws),
      duration: element.attribute("duration").flatMap(VASTOffset.seconds),
      resource: VASTCreativeReader.resources(element).first,
      clickThrough: clicks.flatMap { $0.texts("IconClickThrough") }.first,
      clickTracking: clicks.flatMap { $0.texts("IconClickTracking") }, viewTracking: element.texts("IconViewTracking"))
  }

  private static func place(_ text: String?, end: String) -> VASTIcon.Place {
    if text?.lowercased() == end { return .end }
    return text.flatMap { Bounded.decimal($0, in: -100_000...100_000) }.map { .at($0) } ?? .start
  }
}
