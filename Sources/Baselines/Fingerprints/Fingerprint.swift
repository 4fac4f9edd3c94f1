package import Jobs
internal import MRAID
package import Stage

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
    /// Of the device's whole description: safe areas, user agent, abilities.
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
