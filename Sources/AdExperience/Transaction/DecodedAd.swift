package import OpenRTB
package import VAST

/// What a response holds once it is understood: what to show, and the bid it came with.
package struct DecodedAd: Hashable, Sendable {
  package enum Markup: Hashable, Sendable {
    /// A page, loaded from where it is.
    case page
    /// Markup of a bid.
    case html(String)
    case vast(VASTDocument)
  }

  package var markup: Markup
  /// Nil for an ad that no auction brought.
  package var bid: WonBid?

  package init(markup: Markup, bid: WonBid? = nil) {
    self.markup = markup
    self.bid = bid
  }
}

/// The bid that won, and whom the auction's end is told.
package struct WonBid: Hashable, Sendable {
  package let bid: Bid
  package let response: BidResponse
  /// Bids for the same impression that were lower.
  package let losers: [Bid]

  package init(_ bid: Bid, of response: BidResponse, losers: [Bid]) {
    self.bid = bid
    self.response = response
    self.losers = losers
  }

  /// What its macros stand for.
  package var macros: AuctionMacros {
    AuctionMacros(bid, in: response, minimumToWin: losers.map(\.price).max())
  }

  /// Told that the auction was won, as soon as it was.
  package var winNotice: String? { bid.winNotice.map(macros.replaced) }

  /// Told that the ad was shown, and so has to be paid.
  package var billingNotice: String? { bid.billingNotice.map(macros.replaced) }

  /// Told to each who lost, with the price that won.
  package var lossNotices: [(bid: String, url: String)] {
    losers.compactMap { loser in
      let macros = AuctionMacros(
        loser, in: response, price: bid.price, minimumToWin: bid.price, loss: .lostToHigherBid)
      return loser.lossNotice.map { (loser.id, macros.replaced(in: $0)) }
    }
  }
}
