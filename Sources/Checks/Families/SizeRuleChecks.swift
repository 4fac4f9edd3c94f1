internal import Core
internal import RenderModel

/// Rules of networks for an ad's size.
enum SizeRuleChecks {
  static let all: [Check] = [beyondScreen, missingSizeMeta, unsupportedSize]

  static let beyondScreen = Check(
    "beyond-screen", family: .layout, severity: .warning, title: "Larger than the screen",
    why: "The part of the ad outside the screen is cut off in the screenshots and wasn't examined.",
    remedy: "Check the ad on a larger device, such as desktop, or make the ad smaller.",
    source: .galley, needs: .rendered
  ) { context in
    guard let place = context.record.placement, place.kind == .banner,
      let picture = context.record.screenshots.first, context.record.device.renderScale > 0
    else { return nil }
    let scale = Double(context.record.device.renderScale)
    let screen = Size(width: Double(picture.width) / scale, height: Double(picture.height) / scale)
    guard place.width > screen.width || place.height > screen.height else { return [] }
    let size = Size(width: place.width, height: place.height)
    return [
      CheckIssue(
        "the ad's \(size) exceeds \(context.record.device.name), \(screen), and is cut off in the screenshots",
        screenshot: picture.name)
    ]
  }

  static let missingSizeMeta = Check(
    "missing-size-meta", family: .layout, severity: .error, title: "No ad.size",
    why: "The network sizes the slot by the ad.size meta element, and accepts no ad without one.",
    remedy: "Add <meta name=\"ad.size\" content=\"width=300,height=250\"> with the ad's own width and height.",
    source: .adSize, needs: [.code], needsProfile: true
  ) { context in
    let rules = context.rules(for: "missing-size-meta")
    guard !rules.isEmpty, let inventory = context.inventory,
      let document = inventory.sources.first(where: { $0.path == inventory.entry })
    else { return nil }
    // What can't be read as a size is wrong-size-meta's to tell; no size at all is this one's.
    guard SizeTag(inventory)?.size == nil else { return [] }
    guard !inventory.isCut || document.text.contains("<body") else { return nil }
    let said = SizeTag(inventory).map { "ad.size has no valid size: \"\($0.content)\"" }
    var issue = CheckIssue(
      said ?? "the document has no ad.size", place: Finding.Place(file: inventory.entry, line: 1))
    issue.profiles = rules.map(\.profile)
    issue.severity = rules.map { $0.rule.severity ?? .error }.max()
    return [issue]
  }

  static let unsupportedSize = Check(
    "unsupported-size", family: .layout, severity: .error, title: "Size that the network doesn't support",
    why: "The network accepts only the sizes in its own list.",
    remedy: "Make the ad in one of the listed sizes, and declare that size in ad.size.",
    source: .adSize, needs: [.size], needsProfile: true
  ) { context in
    let rules = context.rules(for: "unsupported-size")
    guard !rules.isEmpty, let size = size(of: context) else { return nil }
    let name = "\(size.width.rounded().plain)x\(size.height.rounded().plain)"
    let refusing = rules.filter { $0.rule.except?.contains(name) != true }
    guard !refusing.isEmpty else { return [] }
    var issue = CheckIssue("\(name) isn't a size that \(refusing.map(\.profile).listed) accepts", subject: name)
    issue.place = SizeTag(context.inventory)?.place
    issue.profiles = refusing.map(\.profile)
    issue.severity = refusing.map { $0.rule.severity ?? .error }.max()
    return [issue]
  }

  /// Returns the size in ad.size, else the banner's slot, unless that is only the default; nil for none.
  static func size(of context: CheckContext) -> Size? {
    if let said = SizeTag(context.inventory)?.size { return said }
    guard let place = context.record.placement, place.kind == .banner, place.assumedFrom != .fallback else {
      return nil
    }
    return Size(width: place.width, height: place.height)
  }

  /// Indicates if the document declares orientations instead of a size, as one that fills the screen does.
  static func fillsScreen(_ context: CheckContext) -> Bool {
    guard let inventory = context.inventory, SizeTag(inventory) == nil else { return false }
    return inventory.sources.contains { $0.path == inventory.entry && $0.text.contains("ad.orientation") }
  }
}
