package import Core
package import Device
internal import MRAID

/// Position of an ad on the screen and its visible part, as Open Measurement reports them.
package struct AdViewState: Hashable, Sendable {
  /// Reason that the ad isn't fully visible.
  package enum Reason: String, Sendable { case notFound, hidden, backgrounded, viewport, obstructed, clipped }

  /// Size of the whole screen.
  package var viewport: Size
  /// Frame that is measured, on the screen: the ad's view, or the element in it that is the ad.
  package var geometry: Rect
  /// Part of the frame that screen and clip leave, even if it is covered.
  package var onScreen: Rect
  /// Frames that cover the ad in that part.
  package var obstructions: [Rect]
  /// Frames of the host's own close control above the ad, which doesn't count as covering it.
  package var friendly: [Rect]
  /// Visible share of the area, 0 to 100.
  package var percentage: Double
  package var pixels: Double
  package var reasons: [Reason]
  /// View around the measured element; nil if the view itself is measured.
  package private(set) var container: Container?

  /// View around an element, and its part on the screen.
  package struct Container: Hashable, Sendable {
    package var view: Rect
    package var onScreen: Rect
  }

  /// State of an ad that isn't on the screen at all.
  package static func notFound(viewport: Size) -> AdViewState {
    let nowhere = Rect(origin: .zero, size: .zero)
    return AdViewState(
      viewport: viewport, geometry: nowhere, onScreen: nowhere, obstructions: [], friendly: [], percentage: 0,
      pixels: 0, reasons: [.notFound])
  }

  private init(
    viewport: Size, geometry: Rect, onScreen: Rect, obstructions: [Rect], friendly: [Rect], percentage: Double,
    pixels: Double, reasons: [Reason]
  ) {
    self.viewport = viewport
    self.geometry = geometry
    self.onScreen = onScreen
    self.obstructions = obstructions
    self.friendly = friendly
    self.percentage = percentage
    self.pixels = pixels
    self.reasons = reasons
  }

  package var isFound: Bool { reasons != [.notFound] }

  /// Indicates that a part of the ad is visible.
  package var isOnScreen: Bool { percentage > 0 }
}

extension AdViewState {
  /// Measures the topmost layer that shows the view, or the element at these bounds in it.
  package init(of view: ViewID, element: Rect? = nil, on screen: Screen) {
    guard let layer = screen.layer(showing: view) else {
      self = .notFound(viewport: screen.size)
      return
    }
    // What covers the ad is the same in the background; that alone says that nobody sees it.
    var front = screen
    front.isForeground = true
    let exposure = front.exposure(of: layer.id)
    let frame = layer.frame
    let shown = front.shownFrame(of: layer)
    let geometry = element.map { $0.offset(x: frame.x, y: frame.y) } ?? frame
    let onScreen = shown.flatMap { $0.intersection(geometry) }
    // One that is covered all over has no rectangles of its own.
    let covering =
      exposure.isViewable
      ? (exposure.occlusionRectangles ?? []).map { $0.offset(x: frame.x, y: frame.y) } : shown.map { [$0] } ?? []
    let above = screen.layers.drop { $0.id != layer.id }.filter { $0.kind == .closeControl }
    let part = { (rect: Rect) in onScreen.flatMap { rect.intersection($0) } }
    self.init(
      viewport: screen.size, geometry: geometry, onScreen: onScreen ?? Rect(origin: geometry.origin, size: .zero),
      obstructions: covering.compactMap(part), friendly: above.map(\.frame).compactMap(part), percentage: 0, pixels: 0,
      reasons: [])
    judge(screen, clip: element == nil ? layer.clip : layer.clippedFrame)
    if element != nil { container = Container(view: frame, onScreen: shown ?? Rect(origin: frame.origin, size: .zero)) }
  }

  private mutating func judge(_ screen: Screen, clip: Rect?) {
    guard !geometry.isEmpty else {
      reasons = [.hidden]
      return
    }
    let visible = max(0, onScreen.area - obstructions.reduce(0) { $0 + $1.area })
    if !screen.bounds.contains(geometry), onScreen.area < geometry.area { reasons.append(.viewport) }
    if let clip, !clip.contains(geometry), onScreen.area < geometry.area { reasons.append(.clipped) }
    if !obstructions.isEmpty { reasons.append(.obstructed) }
    guard screen.isForeground else {
      reasons = [.backgrounded] + reasons
      return
    }
    pixels = Self.rounded(visible)
    percentage = Self.rounded(min(100, visible / geometry.area * 100))
  }

  /// Rounds to hundredths, since sums of fractional areas may be slightly off.
  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

extension AdViewState {
  /// Members for the events `impression` and `geometryChange`.
  package var members: [String: JSONValue] { ["viewport": viewport.json, "adView": .object(adView)] }

  private var adView: [String: JSONValue] {
    let covered = obstructions.reduce(0) { $0 + $1.area }
    var shown = onScreen.json.object ?? [:]
    // Of what is there, in the background as well.
    shown["pixels"] = .number(Self.rounded(max(0, onScreen.area - covered)))
    shown["obstructions"] = .array(obstructions.map(\.json))
    shown["friendlyObstructions"] = .array(friendly.map(Self.closeControl))
    var view: [String: JSONValue] = [
      "percentageInView": .number(percentage), "pixelsInView": .number(pixels), "geometry": Self.measured(geometry),
      "onScreenGeometry": .object(shown), "reasons": .array(reasons.map { .string($0.rawValue) }),
      "measuringElement": .bool(container != nil), "declaredFriendlyObstructions": .number(Double(friendly.count)),
    ]
    if let container {
      view["containerGeometry"] = Self.measured(container.view)
      view["onScreenContainerGeometry"] = Self.measured(container.onScreen)
    }
    return view
  }

  private static func measured(_ rect: Rect) -> JSONValue {
    .object((rect.json.object ?? [:]).merging(["pixels": .number(rounded(rect.area))]) { $1 })
  }

  private static func closeControl(_ rect: Rect) -> JSONValue {
    .object(
      (rect.json.object ?? [:]).merging([
        "obstructionClass": "CloseControl", "obstructionPurpose": "closeAd",
        "obstructionReason": "the app's close control",
      ]) { $1 })
  }
}
