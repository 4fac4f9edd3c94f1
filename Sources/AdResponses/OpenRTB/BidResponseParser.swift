internal import Core
internal import Foundation

/// Reads bid responses; ignores members it doesn't need, and reports needed members that it can't read.
package enum BidResponseParser {
  /// Parses the response; throws an error with the line, or with the path to the faulty member.
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

  static func json(_ bytes: [UInt8]) throws(BidError) -> JSONValue {
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

  /// Reads a side; zero means that the bidder gave none.
  private static func size(_ member: BidMember) throws(BidError) -> Double? {
    guard let size = try member.number() else { return nil }
    guard size >= 0 else { throw BidError("bid-invalid", "\(member.path) is negative") }
    return size == 0 ? nil : size
  }
}

/// One member of a bid response and the path to it, for errors: `seatbid[0].bid[1].price`.
struct BidMember {
  /// Value; nil if it is missing or null.
  let value: JSONValue?
  let path: String

  init(_ value: JSONValue?, path: String) {
    self.value = value == .null ? nil : value
    self.path = path
  }

  subscript(_ name: String) -> BidMember {
    var member: JSONValue?
    if case .object(let members)? = value { member = members[name] }
    return BidMember(member, path: path.isEmpty ? name : "\(path).\(name)")
  }

  /// Returns the members of an object; throws if the value isn't one.
  func object() throws(BidError) -> [String: JSONValue] {
    guard case .object(let members)? = value else { throw wrong("an object") }
    return members
  }

  /// Returns the elements of a list of objects; none if it is missing.
  func elements() throws(BidError) -> [BidMember] {
    guard let value else { return [] }
    guard case .array(let elements) = value else { throw wrong("a list") }
    var members: [BidMember] = []
    for (index, element) in elements.enumerated() {
      let member = BidMember(element, path: "\(path)[\(index)]")
      _ = try member.object()
      members.append(member)
    }
    return members
  }

  /// Returns the text, nil if it is missing or empty; numbers, used by many bidders as identifiers, in shortest form.
  func text() throws(BidError) -> String? {
    switch value {
    case nil: return nil
    case .string(let text): return text.isEmpty ? nil : text
    case .number(let number): return number.plain
    default: throw wrong("text")
    }
  }

  func requiredText() throws(BidError) -> String {
    guard let text = try text() else { throw missing }
    return text
  }

  /// Returns the number, also from text, as some bidders write prices; nil if it is missing.
  func number() throws(BidError) -> Double? {
    switch value {
    case nil: return nil
    case .number(let number) where Bounded.plausible.contains(number): return number
    case .number: throw wrong("a number below 1e12")
    case .string(let text):
      guard let number = Bounded.decimal(text) else { throw wrong("a number") }
      return number
    default: throw wrong("a number")
    }
  }

  func requiredNumber() throws(BidError) -> Double {
    guard let number = try number() else { throw missing }
    return number
  }

  func integer() throws(BidError) -> Int? {
    guard let number = try number() else { return nil }
    guard let integer = Int(exactly: number) else { throw wrong("a whole number") }
    return integer
  }

  func integers() throws(BidError) -> [Int]? {
    guard let value else { return nil }
    guard case .array(let elements) = value else { throw wrong("a list") }
    var numbers: [Int] = []
    for (index, element) in elements.enumerated() {
      guard let number = try BidMember(element, path: "\(path)[\(index)]").integer() else { continue }
      numbers.append(number)
    }
    return numbers
  }

  /// Returns the texts of a list, or the single text if there is no list.
  func texts() throws(BidError) -> [String] {
    guard case .array(let elements)? = value else { return try text().map { [$0] } ?? [] }
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      if let text = try BidMember(element, path: "\(path)[\(index)]").text() { texts.append(text) }
    }
    return texts
  }

  private var missing: BidError { BidError("bid-invalid", "\(path) is missing") }

  private func wrong(_ wanted: String) -> BidError {
    let place = path.isEmpty ? "the response" : path
    return BidError("bid-invalid", value == nil ? "\(place) is missing" : "\(place) isn't \(wanted)")
  }
}

/// Describes in words the place of a JSON error.
enum JSONFailure {
  /// Returns a reason such as `line 3: it is no JSON: invalid value`.
  ///
  /// The decoder gives no place, so `JSONSerialization` reads the text once more.
  static func reason(of bytes: [UInt8]) -> String {
    do {
      _ = try JSONSerialization.jsonObject(with: Data(bytes))
      return "it isn't JSON"
    } catch {
      let text = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? ""
      return reason(text, in: bytes)
    }
  }

  /// Returns Foundation's message, with its place counted in lines.
  private static func reason(_ text: String, in bytes: [UInt8]) -> String {
    guard let match = text.firstMatch(of: /^(.*?) around character (\d+)/), let offset = Int(match.output.2) else {
      return "it isn't JSON: the document ends too early"
    }
    let line = bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
    return "line \(line): it isn't JSON: \(match.output.1.lowercased())"
  }
}

/// Reason that bytes aren't a bid response that can be shown, and the place in it.
package struct BidError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Stable code: `bid-invalid`, `bid-missing`.
  package var code: String
  /// One line that the user can act on.
  package var description: String

  package init(_ code: String, _ description: String) {
    self.code = code
    self.description = description
  }
}
