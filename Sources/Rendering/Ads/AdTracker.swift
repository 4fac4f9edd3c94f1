internal import AdManager
internal import AdResponses
internal import Core
internal import Device
internal import Foundation
internal import RenderModel
internal import WebKitRuntime

/// Tells the log of a response's events and asks whom they ask, and makes whole addresses of those in the response.
@WebKitActor final class AdTracker {
  private let context: AdContext
  private var reporter: TrackingReporter
  /// Responses that were loaded.
  private var responses = 0

  init(context: AdContext) {
    self.context = context
    let job = context.render.job
    reporter = TrackingReporter(
      width: context.placement.width, height: context.placement.height, isInterstitial: context.isInterstitial,
      userAgent: job.device.userAgent, version: Galley.version, sendsBeacons: job.options.sendsBeacons,
      namesAds: context.name != nil, consent: context.render.consent?.addressMacros ?? [:],
      isMeasured: job.measuresByOMID)
  }

  /// Another response is loaded; its number, from 1.
  func countResponse() -> Int {
    responses += 1
    return responses
  }

  /// Notes an event of the standard, and what is told to whom because of it.
  func track(_ event: TrackedEvent) {
    if event.moment == .midpoint { context.render.noteMidpoint() }
    let report = reporter.report(event, at: Date().formatted(.iso8601))
    let asked = report.beacons.map(send) ?? []
    context.record(.vast, report.name, report.detail(asked: asked))
  }

  /// Notes what was wrong with a response or its ads.
  func track(_ problem: VASTProblem) {
    var detail: [String: JSONValue] = [
      "code": .number(Double(problem.code.rawValue)), "message": .string(problem.message),
    ]
    if !problem.programs.isEmpty { detail["programs"] = .array(problem.programs.map { .string($0) }) }
    track(
      TrackedEvent(
        "error", detail: detail, beacons: problem.beacons, macros: ["ERRORCODE": String(problem.code.rawValue)]))
  }

  /// Sends them from the player's page, so that they are requests of the ad's like all others.
  private func send(_ urls: [String]) -> [String] {
    let pages = context.render.stage.pages
    let page = pages[context.views.player] ?? pages[context.views.page]
    let allowed = urls.compactMap { try? context.judge(whole: $0, for: .beacon) }
    for address in allowed {
      let script = "new Image().src = \(JSONValue.string(address.url).text)"
      Task { @WebKitActor in _ = try? await page?.view.call(script) }
    }
    return allowed.map(\.url)
  }

  /// An address of an ad's, relative to where its document came from.
  func address(_ text: String, of ad: ResolvedAd) -> String { address(text, base: ad.address) }

  /// An address in a document that came from `base`; nil for the response itself.
  func address(_ text: String, base: String?) -> String {
    let replaced = reporter.address(text, afterResponses: responses)
    let first = context.responseAddress ?? context.addresses.url(ofFile: "ad.xml")
    return PageAddresses.resolve(replaced, against: base ?? first) ?? replaced
  }
}
