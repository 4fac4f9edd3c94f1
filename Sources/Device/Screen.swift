package import Core
package import MRAID
package import Pixels

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

/// The room the host page keeps for a banner; it stays empty while the ad is expanded or resized.
package struct Slot: Hashable, Sendable, Codable {
  /// In dip.
  package var size: Size
  package var position: SlotPosition

  package init(size: Size, position: SlotPosition) {
    self.size = size
    self.position = position
  }
}

/// Where in the content area a banner's slot is while the host page isn't scrolled.
package enum SlotPosition: String, Hashable, Sendable, Codable, CaseIterable {
  case top, center, bottom
}

/// A feed on the screen: the web view that draws it, and where ads stand on its page.
package struct PlaceholderPlaces: Hashable, Sendable {
  /// The view of the feed itself, as large as the content area.
  package var view: ViewID
  /// By the ads' views, counted from the top left of the unscrolled page.
  package var slots: [ViewID: Rect]
  /// Views that are in their places; the others have none of their own yet, or any more.
  package var shown: [ViewID]

  package init(view: ViewID, slots: [ViewID: Rect] = [:], shown: [ViewID] = []) {
    self.view = view
    self.slots = slots
    self.shown = shown
  }
}

extension Screen {
  /// Where an ad of this size stands in the page, in whole dip as SDKs report it; one too large starts at the corner.
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

  /// Where an ad's own place is now: its slot in a feed, else the slot of the page, if it has one.
  package func slotFrame(of view: ViewID) -> Rect? {
    guard let feed else { return slotFrame }
    return feed.slots[view].map { $0.offset(x: contentArea.x, y: contentArea.y - scrollOffset) }
  }

  /// Where the slot is now, scrolled with its page; nil when the page has none.
  package var slotFrame: Rect? {
    slot.map { slotFrame(for: $0.size, position: $0.position, scrollOffset: scrollOffset) }
  }
}

extension Screen {
  /// A frame on the screen as MRAID counts it, from the content area's corner.
  package func inContentArea(_ frame: Rect) -> Rect {
    frame.offset(x: -contentArea.x, y: -contentArea.y)
  }

  /// A frame counted from the content area's corner, as on the screen.
  package func onScreen(_ frame: Rect) -> Rect {
    frame.offset(x: contentArea.x, y: contentArea.y)
  }

  /// What an ad is told of the screen; both frames are given as on the screen, nil meaning the whole content area.
  package func geometry(defaultFrame: Rect?, currentFrame: Rect?, orientationLocked: Bool = false) -> HostGeometry {
    HostGeometry(
      screenSize: size, maxSize: contentArea.size, defaultPosition: inContentArea(defaultFrame ?? contentArea),
      currentPosition: inContentArea(currentFrame ?? contentArea), orientation: orientation,
      orientationLocked: orientationLocked)
  }

  /// A frame in physical pixels: corner and size rounded each for itself, so a view keeps its size wherever it stands.
  package func pixelFrame(of frame: Rect) -> PixelRect {
    PixelGrid(scale: device.renderScale).frame(frame)
  }
}

extension Screen {
  /// How much of a layer can be seen, as `exposureChange` reports it (MRAID 3.0 §7); `.none` for an unknown layer.
  ///
  /// The visible rectangle is what screen and clip leave of the layer, counted from the layer's top-left corner. The
  /// occluding layers above are cut to it and taken apart until none overlap. Nothing is visible in the background.
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

  /// How much can be seen of the topmost layer that shows the view.
  package func exposure(ofView view: ViewID) -> Exposure {
    layer(showing: view).map { exposure(of: $0.id) } ?? .none
  }
}

extension Screen {
  /// The topmost layer at a place that takes touches: under a scrim that is the scrim, beside a resized ad the page.
  package func hitTest(_ point: Point) -> Layer? {
    guard isForeground, bounds.contains(point) else { return nil }
    return layers.last { $0.takesTouches && $0.clippedFrame?.contains(point) == true }
  }
}
