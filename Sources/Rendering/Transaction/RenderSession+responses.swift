internal import AdExperience
internal import Jobs
internal import MRAID
internal import VAST
internal import WebKitRuntime

extension RenderSession {
  /// What a server may take to answer a wrapper.
  private static let patience = Duration.seconds(5)

  /// Loads a response as a page nobody sees, so that it goes the way of all the ad's requests and stands in the log.
  func fetchResponse(_ url: String) async throws(VASTFetchFailure) -> [UInt8] {
    let address: CreativeAddress
    do throws(AddressRefusal) {
      address = try judge(whole: url, for: .wrapper)
    } catch {
      throw VASTFetchFailure(.unreachable, error.description)
    }
    recorder.record(.vast, "wrapper", named(["url": .string(addresses.display(url))]))
    video.responses += 1
    let id = AdViewID(rawValue: "\(views.page.rawValue)-response-\(video.responses)")
    serveCreative()
    let page = makePage(id, part: nil, isAd: true)
    defer { stage.remove(id) }
    page.view.load(address.loadable)
    let isThere = await recorder.wait(Self.patience) { [weak self] in
      (page.isLoaded && page.documentLoad != nil) || self?.failure != nil
    }
    page.network?.flush()
    guard isThere, let load = page.documentLoad else {
      page.view.stopLoading()
      throw VASTFetchFailure(.timedOut, "no answer within 5 s")
    }
    if let reason = load.failure { throw VASTFetchFailure(.unreachable, reason) }
    guard load.status < 400 else { throw VASTFetchFailure(.unreachable, "answered with status \(load.status)") }
    guard let bytes = await page.view.documentBytes() else { throw VASTFetchFailure(.unreachable, "gave no document") }
    return bytes
  }
}
