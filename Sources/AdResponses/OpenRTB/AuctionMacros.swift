internal import Core
internal import Foundation

/// Values of a bid's macros (OpenRTB 2.6 §4.4).
package struct AuctionMacros: Hashable, Sendable {
  /// Reason that a bid lost, by the standard's list.
  package enum Loss: Int, Hashable, Sendable {
    case won = 0
    case expired = 2
    case lostToHigherBid = 102
  }

  /// Values by the macro's name, without the characters around it.
  private let values: [String: String]

  /// Creates the macros of a bid in a response; the price is the one that the bidder pays, as in a first-price auction.
  package init(
    _ bid: Bid, in response: BidResponse, price: Double? = nil, minimumToWin: Double? = nil, loss: Loss = .won
  ) {
    let paid = price ?? bid.price
    values = [
      "AUCTION_ID": response.id, "AUCTION_BID_ID": response.bidID ?? "", "AUCTION_IMP_ID": bid.impressionID,
      "AUCTION_SEAT_ID": bid.seat ?? "", "AUCTION_AD_ID": bid.adID ?? "", "AUCTION_PRICE": paid.plain,
      "AUCTION_CURRENCY": response.currency, "AUCTION_MBR": bid.price > 0 ? (paid / bid.price).plain : "",
      "AUCTION_LOSS": String(loss.rawValue), "AUCTION_MIN_TO_WIN": minimumToWin.map(\.plain) ?? "",
      // Not known before the ad shows, and of no use to it: removed, as the standard has it.
      "AUCTION_MULTIPLIER": "1", "AUCTION_IMP_TS": "", "AUCTION_DISCOUNT_PCT": "", "AUCTION_DISCOUNT_CPM": "",
    ]
  }

  /// Returns the text with every macro of the standard replaced; other text of that form stays.
  ///
  /// Macros may be plain, `${NAME}`, in Base64, `${NAME:B64}`, and in both cases percent-encoded, as in addresses
  /// inside of other addresses: then the value is percent-encoded too.
  package func replaced(in text: String) -> String {
    var result = Substring()
    var rest = text[...]
    while let found = Self.next(in: rest) {
      result += rest[..<found.range.lowerBound]
      result += value(found.name, isEncoded: found.isEncoded) ?? String(rest[found.range])
      rest = rest[found.range.upperBound...]
    }
    return String(result + rest)
  }

  private func value(_ macro: Substring, isEncoded: Bool) -> String? {
    let parts = macro.split(separator: ":", maxSplits: 1)
    guard let name = parts.first, let value = values[String(name)] else { return nil }
    guard parts.count == 2 else { return isEncoded ? Self.percentEncoded(value) : value }
    guard parts[1] == "B64" else { return nil }
    let base64 = Data(value.utf8).base64EncodedString()
    return isEncoded ? Self.percentEncoded(base64) : base64
  }

  private typealias Found = (range: Range<Substring.Index>, name: Substring, isEncoded: Bool)

  /// Finds the next text that has the form of a macro; nil if there is none.
  private static func next(in text: Substring) -> Found? {
    let match = text.firstMatch(
      of: #/\$\{([A-Z_]+(?::[A-Z0-9]+)?)\}|%24%7[Bb]([A-Z_]+)(?:(?::|%3[Aa])([A-Z0-9]+))?%7[Dd]/#)
    guard let match else { return nil }
    if let name = match.output.1 { return (match.range, name, false) }
    guard let name = match.output.2 else { return nil }
    let whole = match.output.3.map { "\(name):\($0)" } ?? String(name)
    return (match.range, whole[...], true)
  }

  private static func percentEncoded(_ text: String) -> String {
    let kept = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: kept) ?? text
  }
}
