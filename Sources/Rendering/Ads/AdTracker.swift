internal import AdManager
internal import AdResponses
internal import Core
internal import Device
internal import Engine
internal import Foundation
internal import Hosting
internal import RenderModel
internal import WebKitRuntime

/// Logs a response's events, sends their beacons, and completes addresses in the response.
@EngineActor final class AdTracker {
  private let context: AdContext
  private var reporter: TrackingReporter
  /// Number of responses that were loaded.
  private var responses = 0
  /// Start of the render, by the job's date if it has one.
  ///
  /// Macros in the ad's addresses contain this time, so that the log doesn't depend on the speed of servers.
  private let began: Date

  init(context: AdContext) {
    self.context = context
    let job = context.render.job
    began = job.options.date.map { Date(timeIntervalSince1970: $0) } ?? Date()
    reporter = TrackingReporter(
      width: context.placement.width, height: context.placement.height, isInterstitial: context.isInterstitial,
      userAgent: job.device.userAgent, version: Galley.version, sendsBeacons: job.options.sendsBeacons,
      namesAds: context.name != nil, consent: context.render.consent?.addressMacros ?? [:],
      isMeasured: job.measuresByOMID)
  }

  /// Counts another response; returns its number, from 1.
  func countResponse() -> Int {
    responses += 1
    return responses
  }

  /// Logs an event of the standard, and sends its beacons.
  func track(_ event: TrackedEvent) {
    if event.moment == .midpoint { context.render.noteMidpoint() }
    let isDated = context.render.job.options.date != nil
    let now = isDated ? began.addingTimeInterval(context.render.recorder.now / 1000) : Date()
    let report = reporter.report(event, at: now.formatted(.iso8601))
    let asked = report.beacons.map(send) ?? []
    context.record(.vast, Event.Name(rawValue: report.name), report.detail(asked: asked))
  }

  /// Logs a problem of a response or its ads.
  func track(_ problem: VASTProblem) {
    var detail: [String: JSONValue] = [
      "code": .number(Double(problem.code.rawValue)), "message": .string(problem.message),
    ]
    if !problem.programs.isEmpty { detail["programs"] = .array(problem.programs.map { .string($0) }) }
    track(
      TrackedEvent(
        .error, detail: detail, beacons: problem.beacons, macros: ["ERRORCODE": String(problem.code.rawValue)]))
  }

  /// Sends beacons from the player's page, so that they are requests of the ad like all others; returns the allowed
  /// ones.
  private func send(_ urls: [String]) -> [String] {
    let pages = context.render.stage.pages
    let page = pages[context.views.player] ?? pages[context.views.page]
    let allowed = urls.compactMap { try? context.judge(whole: $0, for: .beacon) }
    for address in allowed {
      let script = "new Image().src = \(JSONValue.string(address.url).text)"
      Task { @EngineActor in _ = try? await page?.view.call(script) }
    }
    return allowed.map(\.url)
  }

  /// Complete address of a text in an ad, relative to the source of its document.
  func address(_ text: String, of ad: ResolvedAd) -> String { address(text, base: ad.address) }

  /// Complete address of a text in a document that came from `base`; nil means the response itself.
  func address(_ text: String, base: String?) -> String {
    let replaced = reporter.address(text, afterResponses: responses, at: began.formatted(.iso8601))
    let first = context.responseAddress ?? context.addresses.url(ofFile: "ad.xml")
    return PageAddresses.resolve(replaced, against: base ?? first) ?? replaced
  }
}

extension TrackedEvent {
  /// Makes an event that isn't one of playback.
  init(
    _ name: Event.Name, detail: [String: JSONValue] = [:], beacons: [String] = [], macros: [String: String] = [:]
  ) {
    self.init(name.rawValue, detail: detail, beacons: beacons, macros: macros)
  }

  /// Indicates if the event is logged under this name.
  func isNamed(_ name: Event.Name) -> Bool { self.name == name.rawValue }
}
