/// Ad with all parts that its wrappers added, ready to be played.
package struct ResolvedAd: Hashable, Sendable {
  package var id: String?
  /// Place in a pod.
  package var sequence: Int?
  package var inLine: VASTInLine
  /// Names of the wrappers on the way to the ad, outermost first.
  package var wrappers: [String]
  /// Impression addresses of the in-line ad and its wrappers, the ad's own first; `errors` likewise.
  package var impressions: [String]
  package var errors: [String]
  /// Video with the tracking, clicks and icons of all wrappers; nil for an ad without a video.
  package var linear: VASTLinear?
  package var creative: VASTCreative?
  package var nonLinears: [VASTNonLinear]
  /// Tracking of the overlays: the ad's own and that of every wrapper.
  package var nonLinearTracking: [VASTTracking]
  package var companions: [VASTCompanion]
  package var requiredCompanions: VASTCompanion.Required
  package var verifications: [VASTVerification]
  package var extensions: [VASTExtension]
  package var viewable: VASTViewableImpression
  /// VAST version of the ad's own document.
  package var version: String
  /// Address of its document, to which relative addresses in it refer; nil for the first document.
  package var address: String?
}

extension ResolvedAd {
  /// Merges the in-line ad with the parts that each wrapper on the way adds, outermost first (VAST 4.2 §2.4.2).
  init(_ ad: VASTAd, _ inLine: VASTInLine, version: String, address: String?, wrappers: [VASTAd]) {
    // The nearest wrapper speaks right after the ad itself.
    let all = [ad.parts] + wrappers.reversed().map(\.parts)
    id = ad.id
    sequence = ad.sequence
    self.inLine = inLine
    self.version = version
    self.address = address
    self.wrappers = wrappers.map { $0.parts.system ?? $0.id ?? "wrapper" }
    impressions = all.flatMap(\.impressions)
    errors = all.flatMap(\.errors)
    verifications = all.flatMap(\.verifications)
    extensions = all.flatMap(\.extensions)
    viewable = all.reduce(into: VASTViewableImpression()) { $0.add($1.viewable) }
    let films = ad.parts.creatives.filter { $0.linear != nil }
    creative = films.first { $0.linear?.isEmpty == false } ?? films.first
    linear = creative?.linear.map { own in
      all.dropFirst().flatMap(\.creatives).compactMap(\.linear).reduce(into: own) { $0.add(fromWrapper: $1) }
    }
    nonLinears = ad.parts.creatives.flatMap(\.nonLinears)
    nonLinearTracking = all.flatMap(\.creatives).flatMap(\.nonLinearTracking)
    // A wrapper's overlays show nothing; who wants to hear of clicks is told by them.
    let clicks = all.dropFirst().flatMap(\.creatives).flatMap(\.nonLinears).flatMap(\.clickTracking)
    for index in nonLinears.indices { nonLinears[index].clickTracking += clicks }
    (companions, requiredCompanions) = Self.companions(all)
  }

  /// Returns the ad's own companions, or else the nearest wrapper's.
  ///
  /// Tracking of wrappers' companions that show nothing is added to all of them.
  private static func companions(_ all: [VASTAdParts]) -> ([VASTCompanion], VASTCompanion.Required) {
    let offers = all.map(CompanionOffer.init)
    guard let chosen = offers.firstIndex(where: { $0.companions.contains { !$0.resources.isEmpty } }) else {
      return ([], offers.first?.required ?? .none)
    }
    let silent = offers.dropFirst().flatMap(\.companions).filter(\.resources.isEmpty)
    let companions = offers[chosen].companions.filter { !$0.resources.isEmpty }.map { companion in
      silent.reduce(into: companion) { companion, wrapper in
        companion.tracking += wrapper.tracking
        companion.clickTracking += wrapper.clickTracking
      }
    }
    return (companions, offers[chosen].required)
  }
}

/// Companions that one response offers.
private struct CompanionOffer {
  var companions: [VASTCompanion] = []
  var required = VASTCompanion.Required.none

  init(_ parts: VASTAdParts) {
    for case .companions(let more, let required) in parts.creatives.map(\.content) {
      companions += more
      if self.required == .none { self.required = required }
    }
  }
}

extension VASTCreative {
  fileprivate var linear: VASTLinear? { if case .linear(let linear) = content { linear } else { nil } }

  fileprivate var nonLinears: [VASTNonLinear] { if case .nonLinear(let ads, _) = content { ads } else { [] } }

  fileprivate var nonLinearTracking: [VASTTracking] {
    if case .nonLinear(_, let tracking) = content { tracking } else { [] }
  }
}

extension VASTLinear {
  /// Indicates that it has nothing to play, so that a later creative of the ad is used.
  fileprivate var isEmpty: Bool { mediaFiles.isEmpty && interactiveFiles.isEmpty }

  /// Adds a wrapper's tracking, clicks and icons; the video, its length and its skip time are the ad's own.
  ///
  /// The wrapper's click address is only used if the ad has none.
  fileprivate mutating func add(fromWrapper wrapper: VASTLinear) {
    tracking += wrapper.tracking
    clickTracking += wrapper.clickTracking
    customClicks += wrapper.customClicks
    clickThrough = clickThrough ?? wrapper.clickThrough
    // Of two icons of one program the one nearer to the ad counts.
    let programs = Set(icons.compactMap(\.program))
    icons += wrapper.icons.filter { $0.program.map { !programs.contains($0) } ?? true }
  }
}

extension VASTViewableImpression {
  fileprivate mutating func add(_ other: VASTViewableImpression) {
    viewable += other.viewable
    notViewable += other.notViewable
    undetermined += other.undetermined
  }
}
