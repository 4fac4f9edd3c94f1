internal import Core
package import MRAID

/// A phone, tablet or desktop as far as an ad can see it.
///
/// Many Android screens have a fractional scale (2.625), but an X11 window's scale is a whole number. Galley therefore
/// draws at `renderScale`, the next whole number, so screenshots of such devices have more pixels than the panel;
/// layout is the same, since both share the dip size. The page is told the device's own `scale` as `devicePixelRatio`.
package struct Device: Hashable, Sendable, Codable {
  /// Catalogue name, lower case with hyphens: `iphone-15`.
  package var name: String
  /// Upright screen in dip; a desktop's is wider than tall.
  package var screen: Size
  /// Physical pixels per dip as the page sees it (`devicePixelRatio`), may be fractional.
  package var scale: Double
  /// Status bar, notch and home indicator, upright, in dip.
  package var safeArea: Insets
  /// The same when turned to landscape.
  package var safeAreaLandscape: Insets
  package var touch: Bool
  package var userAgent: String
  /// `navigator.platform`.
  package var platform: String
  package var abilities: Abilities

  package init(
    name: String, screen: Size, scale: Double, safeArea: Insets = .zero, safeAreaLandscape: Insets = .zero,
    touch: Bool, userAgent: String, platform: String, abilities: Abilities = .phone
  ) {
    self.name = name
    self.screen = screen
    self.scale = scale
    self.safeArea = safeArea
    self.safeAreaLandscape = safeAreaLandscape
    self.touch = touch
    self.userAgent = userAgent
    self.platform = platform
    self.abilities = abilities
  }

  /// What the engine draws at: window scales are whole numbers, so a fractional one is rounded up.
  package var renderScale: Int { Bounded.int(scale, in: 1...8, rounding: .up) }
}

extension Device {
  /// Pixels of a picture of the whole screen.
  package var pixels: Double { screen.area * Double(renderScale * renderScale) }

  /// How the device stands when nobody has turned it: desktops lie, phones and tablets stand.
  package var naturalOrientation: AppOrientation { screen.width > screen.height ? .landscape : .portrait }

  /// The screen when held so.
  package func screenSize(in orientation: AppOrientation) -> Size {
    orientation == naturalOrientation ? screen : screen.turned
  }

  /// What the system keeps for itself when the device is held so.
  package func safeArea(in orientation: AppOrientation) -> Insets {
    orientation == .portrait ? safeArea : safeAreaLandscape
  }
}
