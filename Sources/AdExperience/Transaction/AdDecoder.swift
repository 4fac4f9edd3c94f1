internal import OpenRTB
internal import VAST

/// Makes of a response what is to be shown; whatever is wrong with it comes out as one error that says where.
package enum AdDecoder {
  package static func decode(_ response: AdResponse) throws(AdError) -> DecodedAd {
    switch response.form {
    case .page: DecodedAd(markup: .page)
    case .vast: DecodedAd(markup: .vast(try vast(response.body, name: response.name)))
    case .bid: try bid(response)
    }
  }

  private static func bid(_ response: AdResponse) throws(AdError) -> DecodedAd {
    let parsed: BidResponse
    do {
      parsed = try BidResponseParser.parse(response.body)
    } catch {
      throw AdError("\(response.name): \(error.description)", code: error.code)
    }
    guard let auction = parsed.auction else {
      let reason = parsed.noBidReason.map { " (nbr \($0))" } ?? ""
      throw AdError("\(response.name) has no bid\(reason)", code: "no-bid")
    }
    let won = WonBid(auction.winner, of: parsed, losers: auction.losers)
    return DecodedAd(markup: try markup(of: won, name: response.name), bid: won)
  }

  private static func markup(of won: WonBid, name: String) throws(AdError) -> DecodedAd.Markup {
    let bid = won.bid
    guard let text = bid.markup.map(won.macros.replaced) else {
      throw AdError(
        "\(name): bid \(bid.id) has no adm; markup that comes with the win notice is never asked for",
        code: "bid-without-markup")
    }
    switch bid.markupType ?? (isVAST(text) ? .video : .banner) {
    case .banner: return .html(text)
    case .video: return .vast(try vast(Array(text.utf8), name: "\(name), adm of bid \(bid.id)"))
    case .audio, .native:
      let type = bid.markupType == .audio ? "audio" : "native"
      throw AdError(
        "\(name): bid \(bid.id) is an ad of type \(type), which Galley doesn't show", code: "bid-unsupported")
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

  /// Whether markup without a declared type is VAST.
  private static func isVAST(_ text: String) -> Bool {
    let start = text.drop { $0.isWhitespace }
    return start.hasPrefix("<VAST") || start.hasPrefix("<?xml")
  }
}
