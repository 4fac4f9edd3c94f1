package import AdExperience
internal import MRAID

extension Screen {
  /// Everything on the screen, bottom to top: the app's page, the ad in its slot, the modal states, the system's bars.
  ///
  /// A view that a modal state shows leaves its slot; only the topmost modal state has a close control,
  /// once its delay is over.
  package func layers(slotView: AdViewID?, modals: [ModalState]) -> [Layer] {
    var layers = [hostPageLayer] + feedLayers(modals: modals)
    if let slotView, !modals.contains(where: { $0.displayView == slotView }) {
      layers.append(adLayer(showing: slotView))
    }
    for (index, modal) in modals.enumerated() {
      if modal.kind.isModal { layers.append(scrimLayer(id: "scrim:\(index)")) }
      let content = layer(for: modal)
      layers.append(content)
      if index == modals.count - 1, modal.properties.closeDelayLeft <= 0 {
        layers.append(closeControlLayer(for: content.frame, position: modal.properties.closePosition))
      }
    }
    return layers + systemLayers
  }

  /// The feed's page and the ads in it, in the order in which they came.
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
