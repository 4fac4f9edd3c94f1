internal import Core
package import Device
package import RenderModel

/// What drew a baseline's pictures: pictures that something else drew can't be told from changed ones.
package struct Fingerprint: Hashable, Sendable, Codable {
  /// A font file, known by its contents: versions of one font differ in their outlines.
  package struct Font: Hashable, Sendable, Codable {
    /// The file's name without its folder.
    package let file: String
    /// Lower-case hex.
    package let sha256: String

    package init(file: String, sha256: String) {
      (self.file, self.sha256) = (file, sha256)
    }
  }

  /// The screen, and everything else a page can see of the device.
  package struct Screen: Hashable, Sendable, Codable {
    package let name: String
    package let width: Double
    package let height: Double
    package let scale: Double
    package let renderScale: Int
    /// Of the device's whole description: safe areas, user agent, capabilities.
    package let sha256: String

    package init(_ device: Device) {
      (name, width, height) = (device.name, device.screen.width, device.screen.height)
      (scale, renderScale) = (device.scale, device.renderScale)
      sha256 = Document.hash(ofJSON: device)
    }
  }

  package let galley: String
  package let webkit: String
  /// What draws WebGL and 3D; nil where nothing does.
  package let gl: String?
  package let device: Screen
  package let clock: RenderOptions.Clock
  /// Sorted by name.
  package let fonts: [Font]
  /// Of the settings by which fonts are chosen and smoothed.
  package let fontSettings: String

  package init(
    galley: String = Galley.version, webkit: String, gl: String?, device: Device, clock: RenderOptions.Clock,
    fonts: [Font], fontSettings: String
  ) {
    (self.galley, self.webkit, self.gl, self.clock) = (galley, webkit, gl, clock)
    self.device = Screen(device)
    self.fonts = fonts.sorted { ($0.file, $0.sha256) < ($1.file, $1.sha256) }
    self.fontSettings = fontSettings
  }

  /// What stands for it in baselines: lower-case hex.
  package var sha256: String { Document.hash(ofJSON: self) }
}

extension Fingerprint {
  /// The most fonts named in a line.
  private static let most = 4

  /// What is other in the one that draws now, a line each; none when pictures may be compared.
  package func differences(_ now: Fingerprint) -> [String] {
    var lines: [String] = []
    func compare(_ what: String, _ before: String, _ after: String) {
      if before != after { lines.append("\(what) \(before) → \(after)") }
    }
    compare("Galley", galley, now.galley)
    compare("WebKit", webkit, now.webkit)
    compare("GL", gl ?? "none", now.gl ?? "none")
    compare("device", Self.text(device), Self.text(now.device))
    if lines.last?.hasPrefix("device") != true, device != now.device {
      lines.append("device \(device.name) is described otherwise: safe areas, user agent or capabilities")
    }
    compare("clock", clock.rawValue, now.clock.rawValue)
    if let line = fontLine(now) { lines.append(line) }
    if fontSettings != now.fontSettings { lines.append("the settings by which fonts are chosen and smoothed") }
    return lines
  }

  private static func text(_ device: Screen) -> String {
    "\(device.name) \(device.width.plain)x\(device.height.plain)@\(device.scale.plain)"
  }

  /// `fonts: Arimo.ttf is another version, Tinos.ttf is gone, 3 more are new`
  private func fontLine(_ now: Fingerprint) -> String? {
    let (before, after) = (Set(fonts), Set(now.fonts))
    guard before != after else { return nil }
    let (gone, come) = (Set(before.subtracting(after).map(\.file)), Set(after.subtracting(before).map(\.file)))
    let parts = [
      (gone.intersection(come), "another version"), (gone.subtracting(come), "gone"), (come.subtracting(gone), "new"),
    ]
    let words = parts.filter { !$0.0.isEmpty }.map { names, what in
      let shown = names.sorted().prefix(Self.most).joined(separator: ", ")
      return "\(what): \(shown)" + (names.count > Self.most ? " and \(names.count - Self.most) more" : "")
    }
    return "fonts " + words.joined(separator: "; ")
  }
}
