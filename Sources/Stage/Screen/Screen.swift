package import MRAID

/// All that stands on a device's screen at one moment, as a value: change it, then measure, hit-test or compose it.
package struct Screen: Hashable, Sendable {
  package var device: Device
  package var orientation: AppOrientation
  /// Whether the app is in front; in the background nothing of it is visible and nothing takes touches.
  package var isForeground: Bool
  /// How far the host page is scrolled, in dip; negative while it bounces at its top.
  package var scrollOffset: Double
  /// The room for a banner, nil when the page has none, as under an interstitial.
  package var slot: Slot?
  /// Where ads stand in a feed that a web view draws in the place of the host page; nil for every other page.
  package var feed: FeedPlaces?
  /// Bottom to top.
  package var layers: [Layer]

  package init(
    device: Device, orientation: AppOrientation? = nil, isForeground: Bool = true, scrollOffset: Double = 0,
    slot: Slot? = nil, feed: FeedPlaces? = nil, layers: [Layer] = []
  ) {
    self.device = device
    self.orientation = orientation ?? device.naturalOrientation
    self.isForeground = isForeground
    self.scrollOffset = scrollOffset
    self.slot = slot
    self.feed = feed
    self.layers = layers
  }

  /// The whole screen as held now: MRAID's screenSize.
  package var size: Size { device.screenSize(in: orientation) }
  /// The whole screen as a rectangle at zero.
  package var bounds: Rect { Rect(origin: .zero, size: size) }
  /// What the system keeps for itself as the device is held now.
  package var safeArea: Insets { device.safeArea(in: orientation) }
  /// The screen without the safe areas; its size is MRAID's maxSize and its corner the origin of MRAID's positions.
  package var contentArea: Rect { bounds.inset(by: safeArea) }

  /// The layer with this id.
  package func layer(_ id: Layer.ID) -> Layer? {
    layers.first { $0.id == id }
  }

  /// The topmost layer that shows this view.
  package func layer(showing view: ViewID) -> Layer? {
    layers.last { $0.viewID == view }
  }

  /// The part of a layer that is on the screen and not cut off; what covers it isn't looked at.
  package func shownFrame(of layer: Layer) -> Rect? {
    layer.clippedFrame?.intersection(bounds)
  }

  /// The same screen held otherwise; layers keep their frames until their owner lays them out anew.
  package func rotated(to orientation: AppOrientation) -> Screen {
    var screen = self
    screen.orientation = orientation
    return screen
  }
}
