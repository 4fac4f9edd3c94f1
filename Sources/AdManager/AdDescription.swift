package import AdResponses
package import Core

/// Details about bids, responses and ads for the event log, and the parts of an ad that aren't used.
package enum AdDescription {
  /// Detail of the bid that won an auction.
  package static func detail(of won: WonBid) -> JSONValue {
    let bid = won.bid
    var detail: [String: JSONValue] = [
      "id": .string(bid.id), "price": .number(bid.price), "currency": .string(won.response.currency),
    ]
    detail["creative"] = bid.creativeID.map { .string($0) }
    detail["seat"] = bid.seat.map { .string($0) }
    if !bid.advertiserDomains.isEmpty { detail["domains"] = .array(bid.advertiserDomains.map { .string($0) }) }
    if !bid.apis.isEmpty { detail["apis"] = .array(bid.apis.map { .number(Double($0)) }) }
    return .object(detail)
  }

  /// Detail of a break of a schedule.
  package static func detail(of adBreak: VMAPBreak) -> JSONValue {
    var detail: [String: JSONValue] = ["offset": .string("\(adBreak.offset)")]
    detail["id"] = adBreak.id.map { .string($0) }
    if adBreak.types != ["linear"] { detail["types"] = .array(adBreak.types.map { .string($0) }) }
    return .object(detail)
  }

  /// Detail of an ad with a video.
  ///
  /// - Parameters:
  ///   - media: the file that is played, with its actual `duration` in seconds.
  ///   - isInteractive: indicates that an interactive creative runs above the video.
  ///   - display: returns an address in the form of the log.
  package static func detail(
    of ad: ResolvedAd, _ linear: VASTLinear, media: VASTMediaFile, duration: Double?, isInteractive: Bool,
    display: (String) -> String
  ) -> JSONValue {
    var detail: [String: JSONValue] = [
      "media": .string(display(media.url)), "type": .string(media.type), "duration": .number(duration ?? 0),
      "version": .string(ad.version),
    ]
    if let duration, let declared = linear.duration, abs(duration - declared) > 1 {
      detail["declared"] = .number(declared)
    }
    detail["id"] = ad.id.map { .string($0) }
    detail["title"] = ad.inLine.title.map { .string($0) }
    detail["skip"] = linear.skipOffset?.seconds(of: duration).map { .number($0) }
    if isInteractive { detail["interactive"] = (InteractiveChoice.file(of: linear)?.url).map { .string(display($0)) } }
    if !ad.wrappers.isEmpty { detail["wrappers"] = .array(ad.wrappers.map { .string($0) }) }
    if !ad.extensions.isEmpty { detail["extensions"] = .array(ad.extensions.map { .string($0.xml) }) }
    return .object(detail)
  }

  /// Detail of an ad without a video.
  ///
  /// - Parameter interactive: the address of the page that runs above the programme, as the log has it; nil for none.
  package static func detail(ofOverlay ad: ResolvedAd, interactive: String?) -> JSONValue {
    var detail: [String: JSONValue] = ["version": .string(ad.version), "overlay": true]
    detail["id"] = ad.id.map { .string($0) }
    detail["title"] = ad.inLine.title.map { .string($0) }
    detail["interactive"] = interactive.map { .string($0) }
    return .object(detail)
  }

  /// Detail of a part of a response that was repaired or ignored; `url` is the response's address in the log.
  package static func detail(of flaw: VASTFlaw, in url: String?) -> JSONValue {
    .object(remark(line: flaw.line, flaw.reason, in: url))
  }

  /// Detail of a departure of a response from the schema; `url` is the response's address in the log.
  package static func detail(of departure: VASTDeparture, in url: String?) -> JSONValue {
    var detail = remark(line: departure.line, departure.reason, in: url)
    detail["kind"] = .string(departure.kind.rawValue)
    return .object(detail)
  }

  private static func remark(line: Int, _ reason: String, in url: String?) -> [String: JSONValue] {
    var detail: [String: JSONValue] = ["line": .number(Double(line)), "message": .string(reason)]
    detail["url"] = url.map { .string($0) }
    return detail
  }

  /// Problems of the interactive files of a video that aren't run.
  package static func filesNotRun(of ad: ResolvedAd, _ linear: VASTLinear) -> [VASTProblem] {
    let run = InteractiveChoice.file(of: linear)
    return linear.interactiveFiles.filter { $0 != run }.map { file in
      let message = "\(file.apiFramework ?? "an interactive file") \(file.url) isn't run; the video is"
      return VASTProblem(.interactiveNotExecuted, message, beacons: ad.errors)
    }
  }

  /// Error of a response of which no ad can be shown, with the last of its problems as the reason.
  package static func noAd(_ problems: [VASTProblem]) -> AdError {
    guard let last = problems.last else { return AdError("the response has no ad", code: "ad-missing") }
    return AdError("\(last.message) (VAST error \(last.code.rawValue))", code: "vast-failed")
  }
}
