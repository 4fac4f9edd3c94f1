internal import AdManager
internal import AdResponses
internal import Core
internal import Creatives
internal import RenderModel
internal import WebKitRuntime

extension RenderSession {
  /// The chain from the request to the ad: what was opened or loaded, understood, and made into creatives.
  var chain: TransactionChain {
    TransactionChain(
      fetch: { [weak self] in Promise(value: self?.openedResponse ?? AdResponse(form: .page, name: "")) },
      build: { [weak self] ad in self?.build(ad) ?? Promise(error: AdError("the render is over")) })
  }

  /// What there is before anything is loaded: an answer that was opened, or a page.
  private var openedResponse: AdResponse {
    let name = argument == "-" ? "standard input" : argument
    guard let response = bundle.response else { return AdResponse(form: .page, name: name) }
    return AdResponse(form: response.form.response, body: response.bytes, name: name)
  }

  private func build(_ ad: DecodedAd) -> Promise<[any Creative]> {
    if let bid = ad.bid { tellAuction(bid) }
    switch ad.markup {
    case .page: return page().catch { [weak self] in try self?.understand($0) ?? Promise(error: $0) }
    case .html(let markup):
      bundle = bundle.showing(markup)
      return page()
    case .vast(let document):
      return Promise(isolation: WebKitActor.shared) { [weak self] in
        guard let self else { throw AdError("the render is over") }
        return try await buildFilms(document)
      }
    }
  }

  /// The page of the bundle, as soon as it is ready: whoever waits hears of it before the page does anything more.
  private func page() -> Promise<[any Creative]> {
    Promise { resolver in loadCreative { resolver.settle($0.map { [$0] }) } }
  }

  /// What an address answers with that is no page but perhaps a response.
  private func understand(_ error: any Error) throws -> Promise<[any Creative]> {
    guard let error = error as? AdError, error.code == Self.answersWithResponse else { throw error }
    return Promise<AdResponse>(isolation: WebKitActor.shared) { [weak self] in
      guard let self else { throw AdError("the render is over") }
      let body = await stage.pages[views.page]?.view.documentBytes() ?? []
      guard let form = ResponseForm(body) else { throw AdError(error.description) }
      stage.remove(views.page)
      creative = nil
      return AdResponse(form: form.response, body: body, name: bundle.url ?? argument)
    }
    .then { try AdDecoder.decode($0) }
    .then { [weak self] in self?.build($0) ?? Promise(error: AdError("the render is over")) }
  }

  /// The code under which a page's load ends that is no page but perhaps a response.
  static let answersWithResponse = "not-a-page"

  /// Loads the page of the bundle and waits until it has handled that it is ready.
  func loadPage() async throws -> HTMLCreative {
    let promise = Promise<HTMLCreative> { resolver in loadCreative { resolver.settle($0) } }
    let creative = try await promise.value(isolation: WebKitActor.shared)
    _ = await isDelivered()
    return creative
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
    recorder.record(.ad, "bidWon", named(.object(detail)))
    if let url = won.winNotice { recorder.record(.ad, "winNotice", named(["url": .string(url), "sent": false])) }
    for notice in won.lossNotices {
      recorder.record(
        .ad, "lossNotice", named(["url": .string(notice.url), "bid": .string(notice.bid), "sent": false]))
    }
    if let url = won.billingNotice {
      adLog.onDisplay = { [weak self] in
        guard let self else { return }
        recorder.record(.ad, "billingNotice", named(["url": .string(url), "sent": false]))
        adLog.onDisplay = nil
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

/// Makes the transaction of a render: of the creative under test, by the chain that every ad goes.
@WebKitActor final class SessionTransactionLoader {
  weak var session: RenderSession?
}

extension SessionTransactionLoader: @WebKitActor TransactionLoader {
  func load(
    _ configuration: AdConfiguration, completion: @escaping (Result<Transaction, AdError>) -> Void
  ) {
    session?.chain.run(configuration).observe { [weak session] result in
      guard session?.isOver == false else { return }
      let result = result.mapError { AdError($0) }
      // A response that can't be read names nobody who could be told; the log is.
      if case .failure(let error) = result, let code = error.untold {
        session?.trackProblem(VASTProblem(code, error.description))
      }
      completion(result)
    }
  }
}
