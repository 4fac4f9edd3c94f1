/// Response of an exchange or bidder (OpenRTB 2.6 §4.2), as far as showing the ad needs it.
package struct BidResponse: Hashable, Sendable {
  /// Identifier of the request that it answers.
  package var id: String
  /// The bidder's own identifier of the response.
  package var bidID: String?
  /// Currency by ISO 4217; US dollars by default.
  package var currency: String
  /// Reason that there is no bid, by the standard's list.
  package var noBidReason: Int?
  /// Bids of all seats, in the document's order.
  package var bids: [Bid]

  package init(id: String, bidID: String? = nil, currency: String = "USD", noBidReason: Int? = nil, bids: [Bid] = []) {
    self.id = id
    self.bidID = bidID
    self.currency = currency
    self.noBidReason = noBidReason
    self.bids = bids
  }

  /// Every impression that has a bid, in the order of their first bids.
  package var impressions: [String] {
    bids.reduce(into: []) { if !$0.contains($1.impressionID) { $0.append($1.impressionID) } }
  }

  /// Highest bid for the first impression, and the other bids for it; nil if there is no bid.
  package var auction: (winner: Bid, losers: [Bid])? {
    guard let impression = bids.first?.impressionID else { return nil }
    let all = bids.filter { $0.impressionID == impression }
    // Of equal bids the first wins.
    guard let best = all.indices.max(by: { (all[$0].price, -$0) < (all[$1].price, -$1) }) else { return nil }
    return (all[best], all.enumerated().filter { $0.offset != best }.map(\.element))
  }
}

/// One bid: an ad and the price offered for showing it.
package struct Bid: Hashable, Sendable {
  package var id: String
  package var impressionID: String
  /// Price of a thousand impressions, in the response's currency.
  package var price: Double
  /// Buyer seat of the bid.
  package var seat: String?
  /// Markup in HTML, VAST or another format; `markupType` gives the format.
  package var markup: String?
  package var markupType: MarkupType?
  /// Size in dip; nil if the bidder gave none.
  package var width: Double?
  package var height: Double?
  /// Frameworks that the markup needs, by the standard's list: 3, 5 and 6 are MRAID 1 to 3.
  package var apis: [Int] = []
  package var adID: String?
  package var creativeID: String?
  package var campaignID: String?
  package var advertiserDomains: [String] = []
  /// Seconds that the bidder is willing to wait between the auction and the impression.
  package var expiry: Int?
  /// Seconds of a video.
  package var duration: Int?
  package var winNotice: String?
  package var billingNotice: String?
  package var lossNotice: String?

  package init(id: String, impressionID: String, price: Double) {
    self.id = id
    self.impressionID = impressionID
    self.price = price
  }

  /// Type of the markup (`mtype`).
  package enum MarkupType: Int, Hashable, Sendable {
    case banner = 1
    case video = 2
    case audio = 3
    case native = 4
  }
}
