internal import AdExperience
internal import Bundles
internal import Jobs
internal import MRAID
internal import OpenRTB
internal import VAST
internal import WebKitRuntime

extension RenderSession {
  /// The chain from the request to the ad: what was opened or loaded, understood, and made into creatives.
  var chain: TransactionChain {
    TransactionChain(
      fetch: { [weak self] in Promise(value: self?.openedResponse ?? AdResponse(form: .page, name: "")) },
      build: { [weak self] ad in
        Promise(isolation: WebKitActor.shared) { [weak self] in
          guard let self else { throw AdError("the render is over") }
          return try await build(ad)
        }
      })
  }

  /// What there is before anything is loaded: an answer that was opened, or a page.
  private var openedResponse: AdResponse {
    guard let response = bundle.response else { return AdResponse(form: .page, name: job.creative.argument) }
    return AdResponse(form: response.form.response, body: response.bytes, name: job.creative.argument)
  }

  func build(_ ad: DecodedAd) async throws -> [any Creative] {
    if let bid = ad.bid { tellAuction(bid) }
    switch ad.markup {
    case .page: return try await buildPage()
    case .html(let markup):
      bundle = bundle.showing(markup)
      return [try await loadPage()]
    case .vast(let document): return try await buildFilms(document)
    }
  }

  /// A page as it is, or what an address turns out to answer with.
  private func buildPage() async throws -> [any Creative] {
    do {
      return [try await loadPage()]
    } catch let error as AdError where error.code == Self.answersWithResponse {
      let body = await stage.pages[views.page]?.view.documentBytes() ?? []
      guard let form = ResponseForm(body) else { throw AdError(error.description) }
      stage.remove(views.page)
      creative = nil
      let response = AdResponse(form: form.response, body: body, name: bundle.url ?? job.creative.argument)
      return try await build(try AdDecoder.decode(response))
    }
  }

  /// The code under which a page's load ends that is no page but perhaps a response.
  static let answersWithResponse = "not-a-page"

  /// Loads the page of the bundle; returns when it is ready.
  func loadPage() async throws -> HTMLCreative {
    let waiter = PageWaiter()
    loadCreative { waiter.settle($0) }
    return try await waiter.page()
  }

  /// Who is told of the auction; nobody really is.
  private func tellAuction(_ won: WonBid) {
    let bid = won.bid
    var detail: [String: JSONValue] = [
      "id": .string(bid.id), "price": .number(bid.price), "currency": .string(won.response.currency),
    ]
    detail["creative"] = bid.creativeID.map { .string($0) }
    detail["seat"] = bid.seat.map { .string($0) }
    if !bid.advertiserDomains.isEmpty { detail["domains"] = .array(bid.advertiserDomains.map { .string($0) }) }
    if !bid.apis.isEmpty { detail["apis"] = .array(bid.apis.map { .number(Double($0)) }) }
    recorder.record(.ad, "bidWon", .object(detail))
    if let url = won.winNotice { recorder.record(.ad, "winNotice", ["url": .string(url), "sent": false]) }
    for notice in won.lossNotices {
      recorder.record(.ad, "lossNotice", ["url": .string(notice.url), "bid": .string(notice.bid), "sent": false])
    }
    if let url = won.billingNotice {
      adLog.onDisplay = { [weak self] in
        self?.recorder.record(.ad, "billingNotice", ["url": .string(url), "sent": false])
        self?.adLog.onDisplay = nil
      }
    }
    let others = won.response.impressions.dropFirst().count
    if others > 0 { warnings.append("the response bids for \(others) more impressions, which aren't shown") }
  }
}

extension ResponseForm {
  /// What the chain calls it.
  fileprivate var response: AdResponse.Form { self == .vast ? .vast : .bid }
}

/// Waits for a page, whose load may have ended before anybody waits.
@WebKitActor private final class PageWaiter {
  private var result: Result<HTMLCreative, AdError>?
  private var continuation: CheckedContinuation<Void, Never>?

  /// The first end counts.
  func settle(_ result: Result<HTMLCreative, AdError>) {
    if self.result == nil { self.result = result }
    continuation?.resume()
    continuation = nil
  }

  func page() async throws(AdError) -> HTMLCreative {
    if result == nil { await withCheckedContinuation { continuation = $0 } }
    guard let result else { throw AdError("the page's load never ended") }
    return try result.get()
  }
}
