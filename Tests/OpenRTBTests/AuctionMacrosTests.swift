import OpenRTB
import Testing

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
