package import Core
package import MRAID
package import Pixels

/// Everything on a device's screen at one moment, as a value that can be changed, measured, hit-tested and composed.
package struct Screen: Hashable, Sendable {
  package var device: Device
  package var orientation: AppOrientation
  /// Indicates if the app is in front; in the background nothing of it is visible and nothing takes touches.
  package var isForeground: Bool
  /// Scroll offset of the host page in dip; negative while it bounces at its top.
  package var scrollOffset: Double
  /// The room for a banner; nil if the page has none, as under an interstitial.
  package var slot: Slot?
  /// Places of the ads in a feed that a web view draws instead of the host page; nil for every other page.
  package var feed: PlaceholderPlaces?
  /// Bottom to top.
  package var layers: [Layer]

  package init(
    device: Device, orientation: AppOrientation? = nil, isForeground: Bool = true, scrollOffset: Double = 0,
    slot: Slot? = nil, feed: PlaceholderPlaces? = nil, layers: [Layer] = []
  ) {
    self.device = device
    self.orientation = orientation ?? device.naturalOrientation
    self.isForeground = isForeground
    self.scrollOffset = scrollOffset
    self.slot = slot
    self.feed = feed
    self.layers = layers
  }

  /// The whole screen in its present orientation: MRAID's screenSize.
  package var size: Size { device.screenSize(in: orientation) }
  /// The whole screen as a rectangle at the origin.
  package var bounds: Rect { Rect(origin: .zero, size: size) }
  /// Insets reserved for the system in the present orientation.
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

  /// The part of a layer that is on the screen and not clipped, regardless of the layers above it.
  package func shownFrame(of layer: Layer) -> Rect? {
    layer.clippedFrame?.intersection(bounds)
  }

  /// The same screen in another orientation; layers keep their frames until their owner lays them out again.
  package func rotated(to orientation: AppOrientation) -> Screen {
    var screen = self
    screen.orientation = orientation
    return screen
  }
}

/// The room that the host page reserves for a banner; it stays empty while the ad is expanded or resized.
package struct Slot: Hashable, Sendable, Codable {
  /// In dip.
  package var size: Size
  package var position: SlotPosition

  package init(size: Size, position: SlotPosition) {
    self.size = size
    self.position = position
  }
}

/// Vertical position of a banner's slot in the content area of the unscrolled host page.
package enum SlotPosition: String, Hashable, Sendable, Codable, CaseIterable {
  case top, center, bottom
}

/// A feed on the screen: the web view that draws it, and the places of the ads on its page.
package struct PlaceholderPlaces: Hashable, Sendable {
  /// The view of the feed itself, as large as the content area.
  package var view: ViewID
  /// Places by the ads' views, in coordinates from the top left of the unscrolled page.
  package var slots: [ViewID: Rect]
  /// Views that are in their places; the others have no place of their own yet, or no longer.
  package var shown: [ViewID]

  package init(view: ViewID, slots: [ViewID: Rect] = [:], shown: [ViewID] = []) {
    self.view = view
    self.slots = slots
    self.shown = shown
  }
}

extension Screen {
  /// Frame of an ad of this size in the page, in whole dip as SDKs report it; one too large starts at the corner.
  package func slotFrame(for size: Size, position: SlotPosition, scrollOffset: Double = 0) -> Rect {
    let area = contentArea
    let spareWidth = max(0, area.width - size.width)
    let spareHeight = max(0, area.height - size.height)
    let share: Double =
      switch position {
      case .top: 0
      case .center: 0.5
      case .bottom: 1
      }
    let x = area.x + (spareWidth / 2).rounded(.down)
    let y = area.y + (spareHeight * share).rounded(.down) - scrollOffset
    return Rect(x: x, y: y, width: size.width, height: size.height)
  }

  /// Present frame of an ad's own place: its slot in a feed, else the slot of the page; nil if it has none.
  package func slotFrame(of view: ViewID) -> Rect? {
    guard let feed else { return slotFrame }
    return feed.slots[view].map { $0.offset(x: contentArea.x, y: contentArea.y - scrollOffset) }
  }

  /// Present frame of the slot, scrolled with its page; nil if the page has none.
  package var slotFrame: Rect? {
    slot.map { slotFrame(for: $0.size, position: $0.position, scrollOffset: scrollOffset) }
  }
}

extension Screen {
  /// Converts a frame of the screen to MRAID's coordinates, counted from the content area's corner.
  package func inContentArea(_ frame: Rect) -> Rect {
    frame.offset(x: -contentArea.x, y: -contentArea.y)
  }

  /// Converts a frame counted from the content area's corner to coordinates of the screen.
  package func onScreen(_ frame: Rect) -> Rect {
    frame.offset(x: contentArea.x, y: contentArea.y)
  }

  /// Screen geometry for an ad; both frames are in coordinates of the screen, nil meaning the whole content area.
  package func geometry(defaultFrame: Rect?, currentFrame: Rect?, orientationLocked: Bool = false) -> HostGeometry {
    HostGeometry(
      screenSize: size, maxSize: contentArea.size, defaultPosition: inContentArea(defaultFrame ?? contentArea),
      currentPosition: inContentArea(currentFrame ?? contentArea), orientation: orientation,
      orientationLocked: orientationLocked)
  }

  /// A frame in physical pixels: corner and size are rounded separately, so that a view has the same size at any place.
  package func pixelFrame(of frame: Rect) -> PixelRect {
    PixelGrid(scale: device.renderScale).frame(frame)
  }
}

extension Screen {
  /// Visible share of a layer, as `exposureChange` reports it (MRAID 3.0 §7); `.none` for an unknown layer.
  ///
  /// The visible rectangle is the part of the layer inside screen and clip, counted from the layer's top-left corner.
  /// The occluding layers above are clipped to it and split until none overlap. Nothing is visible in the background.
  package func exposure(of id: Layer.ID) -> Exposure {
    guard isForeground, let index = layers.firstIndex(where: { $0.id == id }) else { return .none }
    let layer = layers[index]
    guard let visible = shownFrame(of: layer) else { return .none }
    let occluders = layers[(index + 1)...].filter(\.occludes).compactMap { $0.clippedFrame?.intersection(visible) }
    let covered = Region(union: occluders)

    let share = (visible.area - covered.area) / layer.frame.area
    // Sums of fractional areas may miss zero by a hair.
    guard share > 1e-9 else { return .none }
    let occlusions = covered.rects.map { $0.offset(x: -layer.frame.x, y: -layer.frame.y) }
    return Exposure(
      exposedPercentage: min(100, share * 100),
      visibleRectangle: visible.offset(x: -layer.frame.x, y: -layer.frame.y),
      occlusionRectangles: occlusions.isEmpty ? nil : occlusions)
  }

  /// Visible share of the topmost layer that shows the view.
  package func exposure(ofView view: ViewID) -> Exposure {
    layer(showing: view).map { exposure(of: $0.id) } ?? .none
  }
}

extension Screen {
  /// The topmost layer at a point that takes touches: under a scrim that is the scrim, beside a resized ad the page.
  package func hitTest(_ point: Point) -> Layer? {
    guard isForeground, bounds.contains(point) else { return nil }
    return layers.last { $0.takesTouches && $0.clippedFrame?.contains(point) == true }
  }
}
