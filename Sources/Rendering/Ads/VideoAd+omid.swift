internal import AdManager
internal import AdResponses
internal import Core
internal import Device
internal import OMID
internal import RenderModel
internal import WebKitRuntime

/// Why measuring code of a video ad wasn't run, as its tracking is told (VAST 4.3 §3.17.2).
private enum NotExecuted: Int {
  case rejected = 1
  case notSupported
  case loadError
}

extension VideoAd {
  /// What measuring code may take to load.
  private static let patience = Duration.seconds(5)
  /// Verifications of an ad that are looked at, wrappers' among them.
  private static let mostVerifications = 10

  /// Gives a film its Open Measurement session, with a page in which its measuring code runs.
  ///
  /// Each script has a frame of its own, shut off from all but the service, as SDKs have for films that they draw.
  func measure(_ film: PlayedVideo, place: Int, of count: Int) async {
    let ad = film.ad
    let vast = OMIDVastProperties(
      skipOffset: ad.linear?.skipOffset?.seconds(of: film.duration), position: film.adBreak?.position ?? .standalone)
    var facts = context.omidFacts(isVideo: true, identity: film.view.rawValue)
    (facts.vast, facts.adServingID, facts.podSequence, facts.adCount) = (
      vast, ad.inLine.adServingID, ad.sequence, count
    )
    let omid = OMIDController(
      context, facts, place: count > 1 ? place : nil, view: { film.view },
      isGone: { [weak self, weak film] in self?.isGone(film) ?? true })
    film.omid = omid
    await runScripts(of: film, omid)
  }

  private func isGone(_ film: PlayedVideo?) -> Bool {
    guard let film, let creative = film.creative else { return film == nil }
    return creative.isGone || (creative.playback.isOver && context.render.stage.screen.layer(showing: film.view) == nil)
  }

  private func runScripts(of film: PlayedVideo, _ omid: OMIDController) async {
    var scripts: [(verification: VASTVerification, address: CreativeAddress, url: String)] = []
    for verification in film.ad.verifications.prefix(Self.mostVerifications) {
      guard let script = verification.omidScript else {
        tracker.track(verification, .notSupported)
        continue
      }
      do throws(AddressRefusal) {
        let whole = tracker.address(script.url, of: film.ad)
        scripts.append((verification, try context.judge(whole: whole, for: .verification), script.url))
      } catch {
        tracker.track(verification, .rejected)
      }
    }
    guard !scripts.isEmpty else { return }
    let recorder = context.render.recorder
    let id = AdViewID(rawValue: "\(film.view.rawValue)-omid")
    let address = context.host(OMIDScript.page, as: id.rawValue)
    context.serve()
    let page = pages.make(id, .omid, owner: self)
    page.isMeasuring = true
    page.view.load(address)
    _ = await recorder.wait(Self.patience) { [weak render = context.render] in
      page.isLoaded || render?.failure != nil
    }
    (omid.page, measuringPages[id]) = (page, omid)
    omid.onScript = { [tracker] resource, isLoaded in
      guard !isLoaded, let failed = scripts.first(where: { $0.url == resource.url }) else { return }
      tracker.track(failed.verification, .loadError)
    }
    for (verification, address, url) in scripts {
      let resource = OMIDScriptResource(
        url: url, vendor: verification.vendor, parameters: verification.parameters, accessMode: .limited)
      omid.inject(resource, from: address, isTracked: !verification.notExecuted.isEmpty)
      // One after the other, so that they are always told of in the same order.
      _ = await recorder.wait(Self.patience) { [weak render = context.render] in
        omid.scriptsHaveEnded || render?.failure != nil
      }
      omid.giveUpScripts()
    }
    page.network?.flush()
  }

  /// An event of a film is one of its session too.
  func measure(_ event: TrackedEvent, _ view: AdViewID) {
    guard let film = playedVideos[view], let omid = film.omid else { return }
    if event.name == "error" { omid.fail(event.detail["message"]?.string ?? "the film failed") }
    let isMuted = film.creative?.playback.isMuted ?? true
    let media = OMIDMediaEvent.events(
      of: event, duration: film.duration ?? 0, isMuted: isMuted, isFullScreen: context.isInterstitial)
    for one in media { omid.heard(one) }
  }
}

extension AdTracker {
  /// Tells whoever wants to hear that measuring code wasn't run, where the app measures.
  fileprivate func track(_ verification: VASTVerification, _ reason: NotExecuted) {
    trackNotExecuted(verification, reason: reason.rawValue)
  }

  /// The same with the standard's number: 1 rejected, 2 not supported, 3 couldn't be loaded.
  func trackNotExecuted(_ verification: VASTVerification, reason: Int) {
    var detail: [String: JSONValue] = [
      "resources": .array(verification.resources.map { .string($0) }), "reason": .number(Double(reason)),
    ]
    detail["vendor"] = verification.vendor.map { .string($0) }
    track(
      TrackedEvent(
        "verificationNotExecuted", detail: detail, beacons: verification.notExecuted,
        macros: ["REASON": String(reason)]))
  }
}

extension VMAPBreak {
  /// Where in the programme its ads stand, as measuring code is told.
  fileprivate var position: OMIDVastProperties.Position {
    switch offset {
    case .start: .preroll
    case .end: .postroll
    case .at, .position: .midroll
    }
  }
}
