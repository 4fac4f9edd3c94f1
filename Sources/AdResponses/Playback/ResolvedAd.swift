/// An ad with everything that its wrappers added, ready to be played.
package struct ResolvedAd: Hashable, Sendable {
  package var id: String?
  /// Its place in a pod.
  package var sequence: Int?
  package var inLine: VASTInLine
  /// Wrappers on the way, outermost first.
  package var wrappers: [String]
  /// Everybody's, the in-line ad's first.
  package var impressions: [String]
  package var errors: [String]
  /// The film with everybody's tracking, clicks and icons; nil for an ad without one.
  package var linear: VASTLinear?
  package var creative: VASTCreative?
  package var nonLinears: [VASTNonLinear]
  /// Whoever wants to hear of the overlays: the ad's own and every wrapper's.
  package var nonLinearTracking: [VASTTracking]
  package var companions: [VASTCompanion]
  package var requiredCompanions: VASTCompanion.Required
  package var verifications: [VASTVerification]
  package var extensions: [VASTExtension]
  package var viewable: VASTViewableImpression
  /// The version its own document was written in.
  package var version: String
  /// Where its document came from, to which relative addresses in it refer; nil for the first.
  package var address: String?
}

extension ResolvedAd {
  /// The in-line ad with what each wrapper on the way to it adds, outermost first (VAST 4.2 §2.4.2).
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
    creative = ad.parts.creatives.first { $0.linear != nil }
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

  /// The ad's own companions, or else the nearest wrapper's; tracking of wrappers' that show nothing goes to all.
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

/// What one response offers as companions.
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
  /// Wrappers add who is told and what is marked; the film, its length and when it may be skipped are the ad's own.
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
