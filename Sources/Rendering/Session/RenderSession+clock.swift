internal import AdExperience
internal import Bundles
internal import Foundation
internal import WebKitRuntime

extension RenderSession {
  /// What the clock looks at before it lets time pass.
  var surroundings: RenderClock.Surroundings {
    RenderClock.Surroundings(
      views: { [weak self] in
        guard let pages = self?.stage.pages else { return [] }
        return pages.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value.view)
      },
      loads: { [weak self] in
        (self?.stage.pages.values).map { pages in
          Rest.Loads(
            open: pages.reduce(0) { $0 + $1.openLoads }, total: pages.reduce(0) { $0 + $1.view.resourceCount },
            hasOwn: pages.contains(where: \.hasOwnLoads))
        } ?? Rest.Loads(open: 0, total: 0, hasOwn: false)
      },
      paints: { [weak self] in
        // Until something of a page was seen, what it has to tell of its first paint is still to come.
        guard let self, !photographer.screenshots.isEmpty, !mayHaveMovingImage else { return true }
        return stage.pages.values.contains {
          $0.view.isComposited || $0.view.snapshots > 0 || $0.openLoads > 0
        }
      })
  }

  /// Notes a resource that may move once it is painted; other pages may show it without asking for it again.
  func noteImage(_ load: ResourceLoad) {
    let render = host ?? self
    guard clock.isVirtual, !load.hasNoBody, !render.mayHaveMovingImage else { return }
    render.mayHaveMovingImage = MovingImage.mayBe(mimeType: load.mimeType, body: body(of: load.url))
  }

  /// What came from an address, where that is in it or in the creative.
  private func body(of url: String) -> [UInt8]? {
    if let data = url.firstRange(of: ";base64,"), url.hasPrefix("data:") {
      return Data(base64Encoded: String(url[data.upperBound...])).map { Array($0) }
    }
    return addresses.path(of: url).flatMap { try? bundle.resource(path: $0)?.bytes }
  }
}
