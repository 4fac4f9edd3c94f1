internal import AdManager
internal import AdResponses
internal import Core
internal import Device
internal import Engine
internal import Hosting
internal import OMID
internal import RenderModel
internal import WebKitRuntime

extension VideoAd: PageOwner {
  func heard(_ message: OMIDMessage, from controller: PageController) {
    measuringPages[controller.page.id]?.heard(message, from: controller)
  }

  func received(_ load: ResourceLoad, in page: AdPage) {
    guard let film = playedVideos[page.id], (200..<300).contains(load.status) else { return }
    if (load.redirects.first ?? load.url) == film.source.url { film.isFound = true }
  }

  func heard(_ message: PlayerMessage, from controller: PageController) {
    guard let film = playedVideos[controller.page.id] else { return }
    switch message {
    case .ready(let duration): settle(film, duration)
    case .report(.failed(let reason), _) where film.readiness == nil:
      film.readiness = .failure(VASTProblem(.mediaNotFound, "\(film.media.url): \(reason)"))
    // What is said before there is an ad belongs before it.
    case .simid(let name, let detail) where !film.isLoaded:
      context.record(.simid, Event.Name(rawValue: name), named(detail, of: film))
    case .simid(let name, let detail):
      controller.logEvent(source: .simid, Event.Name(rawValue: name), named(detail, of: film))
    case .report(let report, _) where !film.isLoaded: hearEarly(report, of: film)
    case .report(let report, let turn):
      controller.process { [weak self, weak film] in
        if let film { self?.deliver(report, turn, to: film) }
      }
    }
    render.recorder.wakeWaiters()
  }

  /// Adds the video's name to the detail, from the second video of a pod on.
  private func named(_ detail: JSONValue, of film: PlayedVideo) -> JSONValue {
    guard film.view != context.views.player, case .object(var members) = detail else { return detail }
    members["video"] = .string(film.view.rawValue)
    return .object(members)
  }

  private func settle(_ film: PlayedVideo, _ duration: Double?) {
    guard film.readiness == nil else { return }
    let seconds = duration ?? film.ad.linear?.duration ?? 0
    film.readiness =
      seconds > 0 ? .success(seconds) : .failure(VASTProblem(.unexpectedDuration, "\(film.media.url) has no duration"))
    // One that comes while all others stand still does so from the start.
    if render.playedVideos.areHeld { sendPlayerCommand(film.view, "hold(null)") }
  }

  /// Delivers a report, or the rest of one, once nothing holds back the ad's commands.
  func pass(_ report: PlayerReport, _ turn: Int?, to film: PlayedVideo) {
    render.turns.pass { [weak self, weak film] in
      if let film { self?.deliver(report, turn, to: film) }
    }
  }

  private func deliver(_ report: PlayerReport, _ turn: Int?, to film: PlayedVideo) {
    guard turn == nil || turn == film.turn else { return }
    if report.isPersons { context.delegate?.becameActive() }
    if case .buffering(let waits) = report {
      let name: Event.Name = waits ? .bufferStart : .bufferFinish
      film.omid?.heard(.plain(name.rawValue))
    }
    guard !render.playedVideos.areHeld || !report.isProgress else {
      if report.isEnd { film.endUnheard.append(report) }
      return
    }
    if !film.handle(judged(report, of: film)) { pass(report, turn, to: film) }
    render.recorder.wakeWaiters()
  }

  /// Handles a report of an interactive creative that comes before there is an ad.
  private func hearEarly(_ report: PlayerReport, of film: PlayedVideo) {
    switch report {
    case .interactive(.error(let code, let message, let isFatal)):
      tracker.track(
        TrackedEvent(interactiveError: code, message, isFatal: isFatal, beacons: film.ad.errors))
    case .interactive(.tracking(let urls)): tracker.track(TrackedEvent(.reportTracking, beacons: urls))
    default: break
    }
  }

  /// Changes the report of a shown icon if its page failed, as the player's frame reports a load in any case.
  private func judged(_ report: PlayerReport, of film: PlayedVideo) -> PlayerReport {
    guard case .iconShown(let place) = report, let icons = film.ad.linear?.icons, icons.indices.contains(place),
      case .page(let url)? = icons[place].resource,
      render.stage.pages[film.view]?.failure(of: tracker.address(url, of: film.ad)) != nil
    else { return report }
    return .iconFailed(place)
  }
}
