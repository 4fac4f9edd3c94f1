import OpenRTB
import Testing

/// Numbers in bid responses that end careless readers.
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
