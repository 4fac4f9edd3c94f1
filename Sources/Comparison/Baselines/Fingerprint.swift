internal import Core
package import Device
package import RenderModel

/// Software, fonts and device that drew a baseline's pictures.
///
/// Pictures drawn under another fingerprint can't be told from changed ones.
package struct Fingerprint: Hashable, Sendable, Codable {
  /// Font file, identified by its contents, since versions of one font differ in their outlines.
  package struct Font: Hashable, Sendable, Codable {
    /// Name of the file without its folder.
    package let file: String
    /// SHA-256 of the file in lower-case hex.
    package let sha256: String

    package init(file: String, sha256: String) {
      (self.file, self.sha256) = (file, sha256)
    }
  }

  /// Screen, and all other properties of the device that a page can read.
  package struct Screen: Hashable, Sendable, Codable {
    package let name: String
    package let width: Double
    package let height: Double
    package let scale: Double
    package let renderScale: Int
    /// Hash of the device's whole description, including safe areas, user agent and capabilities.
    package let sha256: String

    package init(_ device: Device) {
      (name, width, height) = (device.name, device.screen.width, device.screen.height)
      (scale, renderScale) = (device.scale, device.renderScale)
      sha256 = Document.hash(ofJSON: device)
    }
  }

  package let galley: String
  package let webkit: String
  /// Renderer of WebGL and 3D; nil if there is none.
  package let gl: String?
  package let device: Screen
  package let clock: RenderOptions.Clock
  /// Fonts, sorted by file name.
  package let fonts: [Font]
  /// Hash of the settings for the choice and smoothing of fonts.
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

  /// Hash of the fingerprint, by which baselines refer to it, in lower-case hex.
  package var sha256: String { Document.hash(ofJSON: self) }
}

extension Fingerprint {
  /// Maximum number of fonts named in a line.
  private static let most = 4

  /// Returns the differences between this fingerprint and the current one, one per line; empty if pictures may be
  /// compared.
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
      lines.append("device \(device.name) has another description: safe areas, user agent or capabilities")
    }
    compare("clock", clock.rawValue, now.clock.rawValue)
    if let line = fontLine(now) { lines.append(line) }
    if fontSettings != now.fontSettings { lines.append("the settings that choose and smooth fonts") }
    return lines
  }

  private static func text(_ device: Screen) -> String {
    "\(device.name) \(device.width.plain)x\(device.height.plain)@\(device.scale.plain)"
  }

  /// Returns the line on fonts, such as `fonts another version: Arimo.ttf; gone: Tinos.ttf`; nil if the fonts are the
  /// same.
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
