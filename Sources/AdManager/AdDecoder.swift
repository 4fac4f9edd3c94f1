package import AdResponses

/// Decodes a response into the ad to show; any fault in it is thrown as one error that names its place.
package enum AdDecoder {
  package static func decode(_ response: AdResponse) throws(AdError) -> DecodedAd {
    switch response.form {
    case .page: DecodedAd(markup: .page)
    case .vast: DecodedAd(markup: .vast(try vast(response.body, name: response.name)))
    case .vmap: DecodedAd(markup: .vmap(try vmap(response)))
    case .bid: try bid(response)
    }
  }

  private static func bid(_ response: AdResponse) throws(AdError) -> DecodedAd {
    let text = String(decoding: response.body, as: UTF8.self)
    // What an exchange answered to an app that asked it for the ad alone.
    if NativeAdParser.isNative(text) { return DecodedAd(markup: .native(try native(text, name: response.name))) }
    let parsed: BidResponse
    do {
      parsed = try BidResponseParser.parse(response.body)
    } catch {
      throw AdError("\(response.name): \(error.description)", code: error.code)
    }
    guard let auction = parsed.auction else {
      let reason = parsed.noBidReason.map { " (nbr \($0))" } ?? ""
      throw AdError("\(response.name) has no bid\(reason)", code: "bid-missing")
    }
    let won = WonBid(auction.winner, of: parsed, losers: auction.losers)
    return DecodedAd(markup: try markup(of: won, name: response.name), bid: won)
  }

  private static func markup(of won: WonBid, name: String) throws(AdError) -> DecodedAd.Markup {
    let bid = won.bid
    guard let text = bid.markup.map(won.macros.replaced) else {
      throw AdError(
        "\(name): bid \(bid.id) has no adm; markup that comes with the win notice is never asked for",
        code: "bid-markup-missing")
    }
    switch bid.markupType ?? markupType(of: text) {
    case .banner: return .html(text)
    case .video: return .vast(try vast(Array(text.utf8), name: "\(name), adm of bid \(bid.id)"))
    case .native: return .native(try native(text, name: "\(name), adm of bid \(bid.id)"))
    case .audio:
      throw AdError("\(name): bid \(bid.id) is an ad of type audio, which Galley doesn't show", code: "bid-unsupported")
    }
  }

  private static func native(_ text: String, name: String) throws(AdError) -> NativeAd {
    do {
      return try NativeAdParser.parse(Array(text.utf8))
    } catch {
      throw AdError("\(name): \(error.description)", code: "native-invalid")
    }
  }

  private static func vmap(_ response: AdResponse) throws(AdError) -> VMAPDocument {
    do {
      return try VMAPParser.parse(response.body)
    } catch {
      throw AdError("\(response.name), \(error)", code: "vmap-invalid", untold: error.code)
    }
  }

  private static func vast(_ bytes: [UInt8], name: String) throws(AdError) -> VASTDocument {
    do {
      return try VASTParser.parse(bytes)
    } catch {
      throw AdError(
        "\(name), \(error) (VAST error \(error.code.rawValue))", code: "vast-invalid",
        untold: error.code)
    }
  }

  /// Type of markup that doesn't declare one: video for VAST or XML, native for native JSON, otherwise banner.
  private static func markupType(of text: String) -> Bid.MarkupType {
    let start = text.drop { $0.isWhitespace }
    if start.hasPrefix("<VAST") || start.hasPrefix("<?xml") { return .video }
    return NativeAdParser.isNative(text) ? .native : .banner
  }
}

/// Decoded response: the ad to show and the bid that delivered it.
package struct DecodedAd: Hashable, Sendable {
  package enum Markup: Hashable, Sendable {
    /// Page that is loaded from its own address.
    case page
    /// Markup of a bid.
    case html(String)
    case vast(VASTDocument)
    /// Breaks of a programme, each with its response.
    case vmap(VMAPDocument)
    case native(NativeAd)
  }

  package var markup: Markup
  /// Winning bid; nil for an ad that didn't come from an auction.
  package var bid: WonBid?

  package init(markup: Markup, bid: WonBid? = nil) {
    self.markup = markup
    self.bid = bid
  }
}

/// Winning bid, with the notices to send at the end of the auction.
package struct WonBid: Hashable, Sendable {
  package let bid: Bid
  package let response: BidResponse
  /// Lower bids for the same impression.
  package let losers: [Bid]

  package init(_ bid: Bid, of response: BidResponse, losers: [Bid]) {
    self.bid = bid
    self.response = response
    self.losers = losers
  }

  /// Values of the macros in the bid's markup and notices.
  package var macros: AuctionMacros {
    AuctionMacros(bid, in: response, minimumToWin: losers.map(\.price).max())
  }

  /// Address to request as soon as the auction is won; nil if the bid has none.
  package var winNotice: String? { bid.winNotice.map(macros.replaced) }

  /// Address to request once the ad has been shown and is to be paid for; nil if the bid has none.
  package var billingNotice: String? { bid.billingNotice.map(macros.replaced) }

  /// Addresses to request for the losing bids, with the winning price; bids without a loss notice are left out.
  package var lossNotices: [(bid: String, url: String)] {
    losers.compactMap { loser in
      let macros = AuctionMacros(
        loser, in: response, price: bid.price, minimumToWin: bid.price, loss: .lostToHigherBid)
      return loser.lossNotice.map { (loser.id, macros.replaced(in: $0)) }
    }
  }
}

/// Response to an ad request, before it is decoded.
package struct AdResponse: Hashable, Sendable {
  /// Format that the response was recognised as.
  package enum Form: String, Hashable, Sendable {
    /// Page that is loaded from its own address.
    case page
    /// An OpenRTB bid response.
    case bid
    case vast
    case vmap
  }

  package var form: Form
  /// Bytes of the response; empty for a page.
  package var body: [UInt8]
  /// Name of the response in error messages.
  package var name: String

  package init(form: Form, body: [UInt8] = [], name: String) {
    self.form = form
    self.body = body
    self.name = name
  }
}
