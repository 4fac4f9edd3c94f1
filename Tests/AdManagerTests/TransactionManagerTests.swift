import AdManager
import AdResponses
import Core
import Device
import Testing

/// Fetching of transactions, the available ones, and the current one.
@Suite struct TransactionManagerTests {
  let journal = Journal()
  let loader = FakeLoader()
  let manager: TransactionManager
  let asker = FakeAsker()
  let configuration = AdConfiguration(kind: .banner, size: Size(width: 320, height: 50))

  init() {
    manager = TransactionManager(loader: loader)
    manager.delegate = asker
  }

  @Test func nothingIsCurrentBeforeAFetch() {
    let next = manager.dismissCurrentTransaction()
    #expect(next == nil)
    #expect(manager.currentTransaction == nil)
  }

  @Test func fetchedTransactionIsCurrentWhenTheDelegateHears() {
    supply("a")
    asker.onCompleted = { [manager, journal] in journal.note(names(manager.currentTransaction)) }
    manager.fetchTransaction(configuration)
    #expect(journal.lines == ["a"])
  }

  @Test func fetchWaitsForTheLoader() {
    supply("a")
    loader.isSlow = true
    manager.fetchTransaction(configuration)
    #expect(asker.results.isEmpty)
    #expect(manager.currentTransaction == nil)
    loader.finish()
    #expect(asker.results.count == 1)
  }

  @Test func failureReachesTheDelegateAndLeavesTheCurrentOneAlone() {
    supply("a")
    manager.fetchTransaction(configuration)
    manager.fetchTransaction(configuration)
    #expect(asker.errors == [AdError("no fill")])
    #expect(names(manager.currentTransaction) == "a")
  }

  @Test func dismissingReturnsTheNextInOrder() {
    for name in ["a", "b", "c"] {
      supply(name)
      manager.fetchTransaction(configuration)
    }
    #expect(names(manager.currentTransaction) == "a")
    for next in ["b", "c", ""] {
      let returned = manager.dismissCurrentTransaction()
      #expect(names(returned) == next)
      #expect(names(manager.currentTransaction) == next)
    }
  }

  @Test func transactionWithoutCreativesIsAFailure() {
    loader.supply = [[]]
    manager.fetchTransaction(configuration)
    #expect(asker.errors == [AdError("the ad has no creative")])
    #expect(manager.currentTransaction == nil)
  }

  @Test func creativeThatIsGoneAlreadyIsAFailure() {
    supply("a").isGone = true
    manager.fetchTransaction(configuration)
    #expect(asker.errors == [.unloadedWhileLoading])
    #expect(manager.currentTransaction == nil)
  }

  @Test func lateLoadOfAManagerThatIsGoneDoesNothing() {
    supply("a")
    loader.isSlow = true
    var manager: TransactionManager? = TransactionManager(loader: loader)
    manager?.delegate = asker
    manager?.fetchTransaction(configuration)
    manager = nil
    loader.finish()
    #expect(asker.results.isEmpty)
  }

  @discardableResult private func supply(_ name: String) -> FakeCreative {
    let creative = FakeCreative(name, journal: journal)
    loader.supply.append([creative])
    return creative
  }
}

private func names(_ transaction: Transaction?) -> String {
  transaction?.creatives.map(\.displayView.rawValue).joined() ?? ""
}

/// Delegate that collects the reports of a transaction manager.
final class FakeAsker: TransactionManagerDelegate {
  private(set) var results: [Result<Transaction, AdError>] = []
  var onCompleted: (() -> Void)?

  var errors: [AdError] { results.compactMap { if case .failure(let error) = $0 { error } else { nil } } }

  func onFetchingCompleted(_ result: Result<Transaction, AdError>) {
    results.append(result)
    onCompleted?()
  }
}

/// Decoding of a response's bytes to the creative to be shown.
@Suite struct AdDecoderTests {
  private func decode(_ text: String, _ form: AdResponse.Form = .bid) throws -> DecodedAd {
    try AdDecoder.decode(AdResponse(form: form, body: Array(text.utf8), name: "bid.json"))
  }

  private func response(_ bids: String) -> String { #"{"id": "r", "seatbid": [{"seat": "s", "bid": [\#(bids)]}]}"# }

  @Test func aPageIsLoadedFromWhereItIs() throws {
    #expect(try decode("", .page) == DecodedAd(markup: .page))
  }

  @Test func markupOfTheHighestBidHasItsMacrosReplaced() throws {
    let ad = try decode(
      response(
        #"{"id": "1", "impid": "i", "price": 1, "adm": "low", "lurl": "https://l.example?c=${AUCTION_LOSS}&p=${AUCTION_PRICE}"},"#
          + #"{"id": "2", "impid": "i", "price": 3.5, "adm": "<b>${AUCTION_PRICE}</b>", "nurl": "https://n.example?m=${AUCTION_MIN_TO_WIN}", "burl": "https://b.example?p=${AUCTION_PRICE:B64}"}"#
      ))
    #expect(ad.markup == .html("<b>3.5</b>"))
    let bid = try #require(ad.bid)
    #expect(bid.winNotice == "https://n.example?m=1")
    #expect(bid.billingNotice == "https://b.example?p=My41")
    #expect(bid.lossNotices.map(\.url) == ["https://l.example?c=102&p=3.5"])
    #expect(bid.lossNotices.map(\.bid) == ["1"])
  }

  @Test func vastInABidIsFoundWithAndWithoutItsType() throws {
    for type in ["", #", "mtype": 2"#] {
      let ad = try decode(response(#"{"id": "1", "impid": "i", "price": 1, "adm": " <VAST version='3.0'/>"\#(type)}"#))
      #expect(ad.markup == .vast(VASTDocument(version: "3.0", ads: [], errors: [])))
    }
  }

  @Test func aNativeAdIsFoundWithAndWithoutItsTypeAndAlone() throws {
    let native = #"{"assets": [{"title": {"text": "Oak"}}]}"#
    let quoted = native.replacing("\"", with: "\\\"")
    for type in ["", #", "mtype": 4"#] {
      let ad = try decode(response(#"{"id": "1", "impid": "i", "price": 1, "adm": "\#(quoted)"\#(type)}"#))
      #expect(ad.markup == .native(try NativeAdParser.parse(Array(native.utf8))) && ad.bid != nil)
    }
    #expect(try decode(native).bid == nil)
  }

  @Test(
    arguments: [
      (#"{"id": "r", "nbr": 8}"#, "bid-missing", "bid.json has no bid (nbr 8)"),
      (#"{"id": 1, "seatbid": 2}"#, "bid-invalid", "bid.json: seatbid isn't a list"),
      (
        #"{"id": "r", "seatbid": [{"bid": [{"id": "1", "impid": "i", "price": 1}]}]}"#, "bid-markup-missing",
        "bid.json: bid 1 has no adm; markup that comes with the win notice is never asked for"
      ),
      (
        #"{"id": "r", "seatbid": [{"bid": [{"id": "1", "impid": "i", "price": 1, "mtype": 4, "adm": "{}"}]}]}"#,
        "native-invalid", "bid.json, adm of bid 1: the native ad has no assets"
      ),
      (
        #"{"id": "r", "seatbid": [{"bid": [{"id": "1", "impid": "i", "price": 1, "mtype": 3, "adm": "x"}]}]}"#,
        "bid-unsupported", "bid.json: bid 1 is an ad of type audio, which Galley doesn't show"
      ),
      (
        #"{"id": "r", "seatbid": [{"bid": [{"id": "1", "impid": "i", "price": 1, "mtype": 2, "adm": "<b/>"}]}]}"#,
        "vast-invalid",
        "bid.json, adm of bid 1, line 1: the root is <b>, not <VAST> (VAST error 101)"
      ),
    ]) func whatIsWrongIsOneErrorThatSaysWhere(text: String, code: String, message: String)
  {
    let untold: VASTErrorCode? = code == "vast-invalid" ? .schemaValidation : nil
    #expect(throws: AdError(message, code: code, untold: untold)) { try decode(text) }
  }
}

/// Decode, build.
@Suite struct TransactionChainTests {
  private let configuration = AdConfiguration(kind: .banner, size: .init(width: 320, height: 50))

  private func run(
    _ response: AdResponse, build: @escaping (DecodedAd) throws -> [any Creative]
  ) -> Result<Transaction, any Error>? {
    TransactionChain.run(response, configuration) { ad in Promise { $0.settle(Result { try build(ad) }) } }.result
  }

  @Test func givesATransactionOfWhatWasBuilt() throws {
    let creative = FakeCreative("ad", journal: Journal())
    let result = run(AdResponse(form: .page, name: "a")) { _ in [creative] }
    let transaction = try #require(try result?.get())
    #expect(transaction.creatives.count == 1)
    #expect(transaction.configuration == configuration)
  }

  @Test func everyErrorComesOutAsOneOfTheAd() throws {
    struct Odd: Error, CustomStringConvertible { let description = "odd" }
    let page = AdResponse(form: .page, name: "a")
    let bad = AdResponse(form: .vast, body: [], name: "a.xml")
    let results = [
      run(page) { _ in throw AdError("no answer", code: "x") }, run(bad) { _ in [] },
      run(page) { _ in throw Odd() }, run(page) { _ in [] },
    ]
    let errors = results.map { result -> AdError? in
      if case .failure(let error)? = result { error as? AdError } else { nil }
    }
    #expect(
      errors == [
        AdError("no answer", code: "x"),
        AdError("a.xml, line 1: it has no root element (VAST error 100)", code: "vast-invalid", untold: .xmlParsing),
        AdError("odd"),
        AdError("the ad has no creative", code: "ad-missing"),
      ])
  }
}
