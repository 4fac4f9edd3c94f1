/// Reads a `Linear`.
enum VASTLinearReader {
  static func linear(_ element: XMLTree) throws(VASTParseError) -> VASTLinear {
    var linear = VASTLinear()
    linear.duration = try duration(element.child("Duration"))
    linear.skipOffset = try VASTCreativeReader.offset(element, "skipoffset")
    for file in element.all("MediaFiles", "MediaFile") { linear.mediaFiles.append(try mediaFile(file)) }
    linear.interactiveFiles = element.all("MediaFiles", "InteractiveCreativeFile").compactMap(interactiveFile)
    linear.tracking = try VASTCreativeReader.tracking(element)
    let clicks = element.all("VideoClicks")
    linear.clickThrough = clicks.flatMap { $0.texts("ClickThrough") }.first
    linear.clickTracking = clicks.flatMap { $0.texts("ClickTracking") }
    linear.customClicks = clicks.flatMap { $0.texts("CustomClick") }
    for icon in element.all("Icons", "Icon") { linear.icons.append(try self.icon(icon)) }
    linear.parameters = element.child("AdParameters")?.content
    return linear
  }

  private static func duration(_ element: XMLTree?) throws(VASTParseError) -> Double? {
    guard let element, let text = element.content else { return nil }
    guard let seconds = VASTOffset.seconds(text) else {
      throw VASTParseError(
        code: .schemaValidation, line: element.line, reason: "<Duration> is \"\(text)\", not HH:MM:SS")
    }
    return seconds
  }

  private static func mediaFile(_ element: XMLTree) throws(VASTParseError) -> VASTMediaFile {
    guard let url = element.content else {
      throw VASTParseError(code: .schemaValidation, line: element.line, reason: "<MediaFile> has no address")
    }
    guard let type = element.attribute("type") else {
      throw VASTParseError(code: .schemaValidation, line: element.line, reason: "<MediaFile> has no type")
    }
    return VASTMediaFile(
      url: url, type: type.lowercased(), width: element.integer("width") ?? 0, height: element.integer("height") ?? 0,
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

  private static func icon(_ element: XMLTree) throws(VASTParseError) -> VASTIcon {
    let clicks = element.all("IconClicks")
    return VASTIcon(
      program: element.attribute("program"), width: element.number("width"), height: element.number("height"),
      x: place(element.attribute("xPosition"), end: "right"), y: place(element.attribute("yPosition"), end: "bottom"),
      offset: try VASTCreativeReader.offset(element, "offset"),
      duration: element.attribute("duration").flatMap(VASTOffset.seconds),
      resource: VASTCreativeReader.resources(element).first,
      clickThrough: clicks.flatMap { $0.texts("IconClickThrough") }.first,
      clickTracking: clicks.flatMap { $0.texts("IconClickTracking") }, viewTracking: element.texts("IconViewTracking"))
  }

  private static func place(_ text: String?, end: String) -> VASTIcon.Place {
    if text?.lowercased() == end { return .end }
    return text.flatMap(Double.init).map { .at($0) } ?? .start
  }
}
