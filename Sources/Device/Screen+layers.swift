package import Core
package import MRAID

extension Screen {
  /// All layers of the screen, bottom to top: the app's page, the ad in its slot, the modal states, the system's bars.
  ///
  /// A view that a modal state shows leaves its slot. Only the topmost modal state has a close control, once its delay
  /// is over.
  package func layers(slotView: AdViewID?, modals: [ModalState]) -> [Layer] {
    var layers = [hostPageLayer] + feedLayers(modals: modals)
    if let slotView, !modals.contains(where: { $0.displayView == slotView }) {
      layers.append(adLayer(showing: slotView))
    }
    for (index, modal) in modals.enumerated() {
      if modal.kind.isModal { layers.append(scrimLayer(id: "scrim:\(index)")) }
      let content = layer(for: modal)
      layers.append(content)
      guard index == modals.count - 1, let position = modal.properties.closePosition else { continue }
      if modal.properties.closeDelayLeft <= 0 {
        layers.append(closeControlLayer(for: content.frame, position: position))
      }
    }
    return layers + systemLayers
  }

  /// The feed's page and the ads in it, in the order of their arrival.
  private func feedLayers(modals: [ModalState]) -> [Layer] {
    guard let feed else { return [] }
    let page = Layer(id: "feed", kind: .feed, frame: contentArea, clip: contentArea, viewID: feed.view)
    return [page]
      + feed.shown.filter { view in !modals.contains { $0.displayView == view } }.compactMap { view in
        slotFrame(of: view).map { adLayer(showing: view, frame: $0) }
      }
  }

  private func layer(for modal: ModalState) -> Layer {
    switch modal.kind {
    case .interstitial, .expanded: adLayer(showing: modal.displayView, frame: contentArea)
    case .resized:
      adLayer(showing: modal.displayView, frame: modal.properties.contentFrame.map(onScreen) ?? contentArea)
    case .browser, .video: browserLayer(showing: modal.displayView)
    }
  }
}

extension Screen {
  /// The app's page; it fills the screen, and only its content stays inside the content area.
  package var hostPageLayer: Layer {
    Layer(id: "host-page", kind: .hostPage, frame: bounds)
  }

  /// The ad in its slot, scrolled with the page; without a slot it fills the content area, as an interstitial does.
  package func adLayer(showing view: ViewID) -> Layer {
    adLayer(showing: view, frame: slotFrame ?? contentArea)
  }

  /// The ad at any frame of the screen, for instance when resized; parts outside the content area are clipped.
  package func adLayer(showing view: ViewID, frame: Rect) -> Layer {
    Layer(id: "ad:\(view.rawValue)", kind: .ad, frame: frame, clip: contentArea, viewID: view)
  }

  /// The ad with the largest visible area, the topmost of equals; with a scrim on the screen, the topmost ad above it.
  package var mostVisibleAd: Layer? {
    if let modal = layers.last(where: { $0.kind == .scrim }), let place = layers.firstIndex(of: modal) {
      return layers[place...].last { $0.kind == .ad }
    }
    return layers.filter { $0.kind == .ad }.max { area(of: $0) < area(of: $1) }
  }

  private func area(of layer: Layer) -> Double { shownFrame(of: layer)?.area ?? 0 }

  /// The dark layer between a modal and everything below it.
  package func scrimLayer(id: Layer.ID = "scrim") -> Layer {
    Layer(id: id, kind: .scrim, frame: bounds)
  }

  /// The host's browser over the whole content area.
  package func browserLayer(showing view: ViewID) -> Layer {
    Layer(id: "browser:\(view.rawValue)", kind: .browser, frame: contentArea, clip: contentArea, viewID: view)
  }

  /// The host's close control for content at `frame`.
  package func closeControlLayer(for frame: Rect, position: ClosePosition = .topRight) -> Layer {
    Layer(id: "close-control", kind: .closeControl, frame: Self.closeRegion(of: frame, position: position))
  }

  /// The system's bars, which go above everything else; empty on a screen without safe areas.
  package var systemLayers: [Layer] {
    let top = Rect(x: 0, y: 0, width: size.width, height: safeArea.top)
    let bottom = Rect(x: 0, y: size.height - safeArea.bottom, width: size.width, height: safeArea.bottom)
    return [
      Layer(id: "status-bar", kind: .statusBar, frame: top),
      Layer(id: "home-indicator", kind: .homeIndicator, frame: bottom),
    ].filter { !$0.frame.isEmpty }
  }

  /// The region of 50x50 dip inside `frame` in which a tap always closes it.
  package static func closeRegion(of frame: Rect, position: ClosePosition) -> Rect {
    position.region(in: frame)
  }
}
