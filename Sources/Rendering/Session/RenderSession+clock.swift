internal import AdExperience
internal import WebKitRuntime

extension RenderSession {
  /// What the clock looks at before it lets time pass.
  var surroundings: RenderClock.Surroundings {
    RenderClock.Surroundings(
      views: { [weak self] in
        guard let pages = self?.stage.pages else { return [] }
        return [AdViewID.creative, .secondPart, .player, .browser].compactMap { pages[$0]?.view }
      },
      loads: { [weak self] in
        (self?.stage.pages.values).map { pages in
          Rest.Loads(
            open: pages.reduce(0) { $0 + $1.openLoads }, total: pages.reduce(0) { $0 + $1.view.resourceCount })
        } ?? Rest.Loads(open: 0, total: 0)
      })
  }
}
