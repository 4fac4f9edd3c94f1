package import AdResponses
internal import Core
package import Device

/// Non-linear ad that runs in a player, above a programme (SIMID): it has no video, and ends by itself.
package final class OverlayCreative: Creative {
  /// The ad manager, while this creative is current.
  package weak var delegate: (any CreativeDelegate)?
  /// The player's view.
  package let displayView: AdViewID
  package private(set) var isGone = false
  /// Indicates that nothing more happens without the user.
  package var isAtRest: Bool { isOver || isAwaitingPerson }
  /// Indicates that it pauses the programme until the user continues.
  package var isAwaitingPerson: Bool { interactive.isAwaitingPerson }

  unowned let host: any VideoHost
  private let ad: ResolvedAd
  private let overlay: VASTNonLinear
  private let isInterstitial: Bool
  private var interactive = InteractiveState(isThere: true)
  private var mayRun = false
  private var isOver = false
  private var isShown = false

  /// Creates an overlay whose page is ready; `host` has to outlive it.
  package init(
    ad: ResolvedAd, overlay: VASTNonLinear, isInterstitial: Bool, displayView: AdViewID, host: any VideoHost
  ) {
    self.ad = ad
    self.overlay = overlay
    self.isInterstitial = isInterstitial
    self.displayView = displayView
    self.host = host
  }

  package func didDisplay() {
    guard !isGone else { return }
    delegate?.creativeDidDisplay(self)
    mayRun = true
    host.play(displayView)
  }

  package func pause() {
    guard mayRun else { return }
    mayRun = false
    host.pause(displayView)
  }

  package func resume() {
    guard !mayRun, !isGone else { return }
    mayRun = true
    host.play(displayView)
  }

  package func hostClosed() {
    guard !isGone else { return }
    if !isOver { tell("close") }
    if interactive.beginsToLeave() { return host.endInteractive(displayView, code: .person) }
    leave()
  }

  /// Opens an address that the content above the programme opened by itself.
  package func openedByItself(_ url: String) { open(url) }

  /// Handles a report of the player; none of them has to wait.
  package func handle(_ report: PlayerReport) {
    guard !isGone else { return }
    switch report {
    case .failed(let message): fail(message)
    case .interactive(let report): handle(report)
    default: break
    }
  }

  private func handle(_ report: InteractiveReport) {
    switch report {
    case .click(let url, let opens, let place): interactiveClick(url, opens: opens, place)
    case .navigation(let url): open(url)
    case .tracking(let urls): track(urls)
    case .error(let code, let message, let isFatal): interactiveFailed(code, message, isFatal: isFatal)
    case .waits: interactive.isAwaitingPerson = true
    case .shown: shown()
    case .expanded(let isExpanded):
      interactive.isAwaitingPerson = false
      if isExpanded { tell("adExpand", or: "expand") } else { tell("adCollapse", or: "collapse") }
    case .over: end()
    }
  }

  private func shown() {
    guard !isShown else { return }
    isShown = true
    host.track(TrackedEvent("impression", beacons: ad.impressions), displayView)
    for event in ["creativeView", "start"] { tell(event) }
  }

  private func fail(_ message: String) {
    host.track(
      TrackedEvent(
        "error", detail: ["code": .number(Double(VASTErrorCode.nonLinear.rawValue)), "message": .string(message)],
        beacons: ad.errors, macros: ["ERRORCODE": String(VASTErrorCode.nonLinear.rawValue)]), displayView)
    end()
  }

  /// Reports an event of the standard and requests its addresses, under either of its names.
  private func tell(_ event: String, or older: String? = nil) {
    let beacons = ad.nonLinearTracking.filter { $0.event == event || $0.event == older }.map(\.url)
    host.track(TrackedEvent(event, beacons: beacons), displayView)
  }

  /// Ends the interactive creative: the programme goes on.
  private func end() {
    let isLeaving = interactive.isLeaving
    interactive = InteractiveState(isThere: false)
    if isLeaving { return leave() }
    guard !isOver else { return }
    isOver = true
    delegate?.creativeDidComplete(self)
  }

  private func leave() {
    isGone = true
    delegate?.creativeShouldCloseModalState(self) { [weak self] in
      guard let self else { return }
      delegate?.creativeInterstitialDidClose(self)
      delegate?.creativeDidComplete(self)
    }
  }
}

extension OverlayCreative: InteractiveCreative {
  var clickBeacons: [String] { overlay.clickTracking }
  var errorBeacons: [String] { ad.errors }
  var second: Double? { nil }

  func macros(_ more: [String: String]) -> [String: String] {
    var values = ["ADTYPE": "video", "PLACEMENTTYPE": isInterstitial ? "5" : "3"]
    values["ADSERVINGID"] = ad.inLine.adServingID
    return values.merging(more) { $1 }
  }
}
