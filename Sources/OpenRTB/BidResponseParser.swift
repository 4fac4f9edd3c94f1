internal import Foundation
internal import MRAID

/// Reads bid responses; what it doesn't need it passes over, what it needs and can't read it names.
package enum BidResponseParser {
  /// The response; throws with the line, or with the way down to the member that is wrong.
  package static func parse(_ bytes: [UInt8]) throws(BidError) -> BidResponse {
    let root = BidMember(try json(bytes), path: "")
    _ = try root.object()
    let seats = try root["seatbid"].elements()
    var bids: [Bid] = []
    for seat in seats {
      let name = try seat["seat"].text()
      for bid in try seat["bid"].elements() { bids.append(try self.bid(bid, seat: name)) }
    }
    let currency = try root["cur"].text()
    return BidResponse(
      id: try root["id"].requiredText(), bidID: try root["bidid"].text(), currency: currency ?? "USD",
      noBidReason: try root["nbr"].integer(), bids: bids)
  }

  private static func json(_ bytes: [UInt8]) throws(BidError) -> JSONValue {
    do {
      return try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    } catch {
      throw BidError("bid-invalid", JSONFailure.reason(of: bytes))
    }
  }

  private static func bid(_ member: BidMember, seat: String?) throws(BidError) -> Bid {
    var bid = Bid(
      id: try member["id"].requiredText(), impressionID: try member["impid"].requiredText(),
      price: try member["price"].requiredNumber())
    bid.seat = seat
    bid.markup = try member["adm"].text()
    bid.markupType = try markupType(member["mtype"])
    bid.width = try size(member["w"])
    bid.height = try size(member["h"])
    // 2.6 has a list; before there was one, by another name of the same meaning.
    let single = try member["api"].integer().map { [$0] }
    bid.apis = try member["apis"].integers() ?? single ?? []
    bid.adID = try member["adid"].text()
    bid.creativeID = try member["crid"].text()
    bid.campaignID = try member["cid"].text()
    bid.advertiserDomains = try member["adomain"].texts()
    bid.expiry = try member["exp"].integer()
    bid.duration = try member["dur"].integer()
    bid.winNotice = try member["nurl"].text()
    bid.billingNotice = try member["burl"].text()
    bid.lossNotice = try member["lurl"].text()
    return bid
  }

  private static func markupType(_ member: BidMember) throws(BidError) -> Bid.MarkupType? {
    guard let number = try member.integer() else { return nil }
    guard let type = Bid.MarkupType(rawValue: number) else {
      throw BidError("bid-invalid", "\(member.path) is \(number); 1 is banner, 2 video, 3 audio, 4 native")
    }
    return type
  }

  /// Nought means that the bidder didn't say.
  private static func size(_ member: BidMember) throws(BidError) -> Double? {
    guard let size = try member.number() else { return nil }
    guard size >= 0 else { throw BidError("bid-invalid", "\(member.path) is below nought") }
    return size == 0 ? nil : size
  }
}
