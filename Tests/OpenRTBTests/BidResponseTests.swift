import OpenRTB
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
        "seatbid[0].bid[0].w is below nought"
      ),
    ])
  func refused(text: String, message: String) {
    #expect(throws: BidError("bid-invalid", message)) { try parse(text) }
  }

  @Test(
    "says on which line JSON breaks off",
    arguments: [
      ("{\"id\": \"r\",\n  \"seatbid\": [}\n}", "line 2: it is no JSON: invalid value"),
      ("{\"id\": \"r\",\n", "it is no JSON: the document ends too early"),
      ("", "it is no JSON: the document ends too early"),
    ])
  func broken(text: String, message: String) {
    #expect(throws: BidError("bid-invalid", message)) { try parse(text) }
  }
}
