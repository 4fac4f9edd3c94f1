internal import AdManager
internal import AdResponses
internal import Core
internal import Device
internal import Engine
internal import Hosting
internal import RenderModel
internal import WebKitRuntime

/// Loads responses that wrappers refer to.
@EngineActor struct WrapperFetch {
  let pages: PageFactory
  let tracker: AdTracker

  /// Time that a server has to answer.
  private static let patience = Duration.seconds(5)

  /// Loads a response as an invisible page, so that it takes the way of all the ad's requests and appears in the log.
  func fetch(_ url: String) async throws(VASTFetchFailure) -> [UInt8] {
    let context = pages.context
    let address: CreativeAddress
    do throws(AddressRefusal) {
      address = try context.judge(whole: url, for: .wrapper)
    } catch {
      throw VASTFetchFailure(.refused, error.description)
    }
    context.record(.vast, .wrapper, ["url": .string(context.addresses.display(url))])
    let id = AdViewID(rawValue: "\(context.views.page.rawValue)-response-\(tracker.countResponse())")
    context.serve()
    let page = pages.make(id, .ads, owner: nil)
    let render = context.render
    defer { render.stage.remove(id) }
    page.view.load(address.loadable)
    let isThere = await render.recorder.wait(Self.patience) { [weak render] in
      (page.isLoaded && page.documentLoad != nil) || render?.failure != nil
    }
    page.network?.flush()
    guard isThere, let load = page.documentLoad else {
      page.view.stopLoading()
      throw VASTFetchFailure(.timedOut, "no answer within 5 s")
    }
    if let reason = load.failure { throw VASTFetchFailure(.unreachable, reason) }
    guard load.status < 400 else { throw VASTFetchFailure(.unreachable, "answered with status \(load.status)") }
    guard let bytes = await page.view.documentBytes() else {
      throw VASTFetchFailure(.unreachable, "returned no document")
    }
    return bytes
  }
}
