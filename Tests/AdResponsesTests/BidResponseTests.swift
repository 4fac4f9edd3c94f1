import AdResponses
import Testing

@Suite("Reading a bid response")
struct BidResponseTests {
  private func parse(_ text: String) throws -> BidResponse { try BidResponseParser.parse(Array(text.utf8)) }

  @Test("reads what showing the ad needs")
  func whole() throws {
    let response = try parse(
      """
      {"id": "r1", "bidid": "b9", "cur": "EUR", "seatbid": [{"seat": "larch", "group": 0, "bid": [
        {"id": "1", "impid": "i1", "price": 1.25, "adm": "<b>ad</b>", "w": 320, "h": 50, "mtype": 1, "apis": [5, 6],
         "crid": "cr", "cid": "ca", "adid": "ad", "adomain": ["larch.example"], "exp": 300, "dur": 15,
         "nurl": "https://n.example", "burl": "https://b.example", "lurl": "https://l.example", "ext": {"x": []}}]}]}
      """)
    #expect(response.id == "r1")
    #expect(response.bidID == "b9")
    #expect(response.currency == "EUR")
    var bid = Bid(id: "1", impressionID: "i1", price: 1.25)
    bid.seat = "larch"
    bid.markup = "<b>ad</b>"
    bid.markupType = .banner
    (bid.width, bid.height) = (320, 50)
    bid.apis = [5, 6]
    (bid.creativeID, bid.campaignID, bid.adID) = ("cr", "ca", "ad")
    bid.advertiserDomains = ["larch.example"]
    (bid.expiry, bid.duration) = (300, 15)
    (bid.winNotice, bid.billingNotice, bid.lossNotice) = ("https://n.example", "https://b.example", "https://l.example")
    #expect(response.bids == [bid])
  }

  @Test("takes numbers where bidders write them for text and the other way round")
  func lenient() throws {
    let response = try parse(
      #"{"id": 7, "seatbid": [{"bid": [{"id": 1, "impid": "1", "price": "0.5", "api": 3, "w": 0, "adm": null}]}]}"#)
    #expect(response.id == "7")
    #expect(response.currency == "USD")
    #expect(response.bids[0].id == "1")
    #expect(response.bids[0].price == 0.5)
    #expect(response.bids[0].apis == [3])
    #expect(response.bids[0].width == nil)
    #expect(response.bids[0].markup == nil)
  }

  @Test("the highest bid for the first impression wins, the first of equal ones")
  func auction() throws {
    let bids = [("a", "i1", 1.0), ("b", "i2", 9), ("c", "i1", 2), ("d", "i1", 2)].map {
      #"{"id": "\#($0)", "impid": "\#($1)", "price": \#($2)}"#
    }
    let response = try parse(#"{"id": "r", "seatbid": [{"bid": [\#(bids.joined(separator: ","))]}]}"#)
    #expect(response.auction?.winner.id == "c")
    #expect(response.auction?.losers.map(\.id) == ["a", "d"])
    #expect(response.impressions == ["i1", "i2"])
    #expect(try parse(#"{"id": "r", "nbr": 2}"#).auction == nil)
    #expect(try parse(#"{"id": "r", "nbr": 2}"#).noBidReason == 2)
  }

  @Test(
    "names the member that is wrong",
    arguments: [
      ("[]", "the response isn't an object"),
      ("{}", "id is missing"),
      (#"{"id": "r", "seatbid": {}}"#, "seatbid isn't a list"),
      (#"{"id": "r", "seatbid": [1]}"#, "seatbid[0] isn't an object"),
      (#"{"id": "r", "seatbid": [{"bid": [{"id": "1"}]}]}"#, "seatbid[0].bid[0].impid is missing"),
      (
        #"{"id": "r", "seatbid": [{}, {"bid": [{"id": "1", "impid": "1", "price": "dear"}]}]}"#,
        "seatbid[1].bid[0].price isn't a number"
      ),
      (
        #"{"id": "r", "seatbid": [{"bid": [{"id": "1", "impid": "1", "price": 1, "adm": {}}]}]}"#,
        "seatbid[0].bid[0].adm isn't text"
      ),
      (
        #"{"id": "r", "seatbid": [{"bid": [{"id": "1", "impid": "1", "price": 1, "mtype": 9}]}]}"#,
        "seatbid[0].bid[0].mtype is 9; 1 is banner, 2 video, 3 audio, 4 native"
      ),
      (
        #"{"id": "r", "seatbid": [{"bid": [{"id": "1", "impid": "1", "price": 1, "w": -1}]}]}"#,
        "seatbid[0].bid[0].w is negative"
      ),
    ])
  func refused(text: String, message: String) {
    #expect(throws: BidError("bid-invalid", message)) { try parse(text) }
  }

  @Test(
    "says on which line JSON breaks off",
    arguments: [
      ("{\"id\": \"r\",\n  \"seatbid\": [}\n}", "line 2: it isn't JSON: invalid value"),
      ("{\"id\": \"r\",\n", "it isn't JSON: the document ends too early"),
      ("", "it isn't JSON: the document ends too early"),
    ])
  func broken(text: String, message: String) {
    #expect(throws: BidError("bid-invalid", message)) { try parse(text) }
  }
}

/// Numbers in bid responses that crash careless readers.
@Suite struct BidNumberTests {
  @Test(arguments: [
    "1e308", "-1e308", "1e400", "9223372036854775808", "-9223372036854775809", "2147483649", "9007199254740993", "-0",
    "1.5", "\"nan\"", "\"inf\"", "\"1e308\"", "\"0x10\"", "\"\"", "1e19",
  ])
  func `a response with such a number anywhere is read or refused`(number: String) {
    let text = """
      {"id": \(number), "bidid": \(number), "nbr": \(number), "cur": "EUR", "seatbid": [{"seat": \(number), "group": \(number),
      "bid": [{"id": \(number), "impid": \(number), "price": \(number), "adid": \(number), "crid": \(number), "w": \(number),
      "h": \(number), "mtype": \(number), "api": \(number), "apis": [\(number)], "exp": \(number), "adm": "<p>"},
      {"id": "2", "impid": "1", "price": 1, "adm": "<p>${AUCTION_PRICE}${AUCTION_MIN_TO_WIN}"}]}]}
      """
    guard let auction = try? BidResponseParser.parse(Array(text.utf8)).auction else { return }
    #expect(auction.winner.price.isFinite && abs(auction.winner.price) <= 1e12)
  }

  @Test(arguments: ["1e14", "\"nan\"", "\"inf\"", "\"0x1p3\""])
  func `a price that counts nothing is the bidder's fault`(price: String) {
    let text = "{\"id\": \"r\", \"seatbid\": [{\"bid\": [{\"id\": \"1\", \"impid\": \"1\", \"price\": \(price)}]}]}"
    #expect { try BidResponseParser.parse(Array(text.utf8)) } throws: { ($0 as? BidError)?.code == "bid-invalid" }
  }
}

@Suite("Macros of an auction")
struct AuctionMacrosTests {
  private var macros: AuctionMacros {
    var bid = Bid(id: "1", impressionID: "imp 1", price: 2)
    bid.adID = "ad"
    let response = BidResponse(id: "r/1", bidID: nil, currency: "EUR", noBidReason: nil, bids: [bid])
    return AuctionMacros(bid, in: response, price: 1.5)
  }

  @Test(
    "are replaced as they are, in Base64, and percent-encoded",
    arguments: [
      ("p=${AUCTION_PRICE}", "p=1.5"),
      ("${AUCTION_ID}/${AUCTION_IMP_ID}/${AUCTION_AD_ID}", "r/1/imp 1/ad"),
      ("${AUCTION_PRICE:B64}", "MS41"),
      ("%24%7BAUCTION_PRICE%7D", "1.5"),
      ("%24%7bAUCTION_ID%7d", "r%2F1"),
      ("%24%7BAUCTION_IMP_ID%3AB64%7D", "aW1wIDE%3D"),
      ("${AUCTION_MBR} ${AUCTION_CURRENCY} ${AUCTION_LOSS} ${AUCTION_MULTIPLIER}", "0.75 EUR 0 1"),
    ])
  func replaced(text: String, result: String) { #expect(macros.replaced(in: text) == result) }

  @Test(
    "that have no value are removed",
    arguments: ["${AUCTION_BID_ID}", "${AUCTION_SEAT_ID}", "${AUCTION_MIN_TO_WIN}", "${AUCTION_IMP_TS}"])
  func removed(text: String) { #expect(macros.replaced(in: "a\(text)b") == "ab") }

  @Test(
    "of others stay as they are",
    arguments: [
      "${CLICK_URL}", "${AUCTION_PRICE:AES}", "${auction_price}", "${AUCTION_PRICE", "$AUCTION_PRICE", "%24%7BX%7D",
    ])
  func others(text: String) { #expect(macros.replaced(in: text) == text) }

  @Test("of a bid that lost say why, and what would have won")
  func lost() {
    let bid = Bid(id: "1", impressionID: "i", price: 1)
    let response = BidResponse(id: "r", bidID: "b", currency: "USD", noBidReason: nil, bids: [bid])
    let macros = AuctionMacros(bid, in: response, price: 2, minimumToWin: 2, loss: .lostToHigherBid)
    #expect(macros.replaced(in: "${AUCTION_LOSS}/${AUCTION_MIN_TO_WIN}/${AUCTION_BID_ID}") == "102/2/b")
  }
}
