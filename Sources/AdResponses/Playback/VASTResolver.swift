/// Follows wrappers to the ads themselves; loads responses through a function of the caller.
package struct VASTResolver {
  /// Function that loads a response from an address whose macros are replaced.
  package typealias Fetch = nonisolated(nonsending) (String) async throws(VASTFetchFailure) -> [UInt8]

  /// Function that decides if an ad can be played; one that can't is replaced by another of the response, if there is
  /// one.
  package typealias Accept = nonisolated(nonsending) (ResolvedAd) async -> Bool

  /// Maximum number of wrappers that may lead to an ad (VAST 4.2 §2.4.3.3).
  private static let deepest = 5

  private let fetch: Fetch
  private let accept: Accept
  /// Function that converts an address in a response into one to load.
  ///
  /// It replaces macros and resolves the address against the response's own.
  private let address: (String, _ base: String?) -> String
  private var resolution = VASTResolution()

  private init(fetch: @escaping Fetch, accept: @escaping Accept, address: @escaping (String, String?) -> String) {
    self.fetch = fetch
    self.accept = accept
    self.address = address
  }

  /// Returns the ads of a document in playing order: its pod, or the first stand-alone ad that can be played.
  nonisolated(nonsending) package static func resolve(
    _ document: VASTDocument, address: @escaping (String, _ base: String?) -> String = { text, _ in text },
    accept: @escaping Accept = { _ in true }, fetch: @escaping Fetch
  ) async -> VASTResolution {
    var resolver = VASTResolver(fetch: fetch, accept: accept, address: address)
    let way = Way(document: document)
    resolver.recordFlaws(of: document, from: nil)
    let ads = await resolver.ads(of: document, way)
    resolver.resolution.ads = ads
    return resolver.resolution
  }

  /// Returns the first in-line ad of a document, without loading anything; nil if there is none.
  package static func inLine(_ document: VASTDocument) -> ResolvedAd? {
    for ad in document.pod + document.standAlone {
      guard case .inLine(let inLine) = ad.content else { continue }
      return ResolvedAd(ad, inLine, version: document.version, address: nil, wrappers: [])
    }
    return nil
  }

  /// Path of wrappers to a document.
  private struct Way {
    var wrappers: [VASTAd] = []
    /// Addresses of the responses on the path, for detecting loops.
    var addresses: [String] = []
    var followsWrappers = true
    var allowsMultipleAds = true
    let document: VASTDocument

    init(document: VASTDocument) { self.document = document }

    /// Addresses to request for an error here: those of all wrappers on the path, the nearest first.
    var errors: [String] { wrappers.reversed().flatMap(\.parts.errors) }
  }

  nonisolated(nonsending) private mutating func ads(of document: VASTDocument, _ way: Way) async -> [ResolvedAd] {
    guard !document.ads.isEmpty else {
      let isFirst = way.wrappers.isEmpty
      recordProblem(
        .noAdAfterWrappers, isFirst ? "the response has no ad" : "no ad after \(way.wrappers.count) wrappers",
        document.errors + way.errors)
      return []
    }
    let pod = way.allowsMultipleAds ? document.pod : []
    var standAlone = document.standAlone
    guard !pod.isEmpty else { return await firstPlayable(&standAlone, way) }
    var ads: [ResolvedAd] = []
    for ad in pod {
      var found = await resolve(ad, way)
      // An ad that stands alone takes the place of one that leads nowhere.
      if found.isEmpty { found = await firstPlayable(&standAlone, way) }
      ads += found
    }
    return ads
  }

  /// Takes ads until one can be played; a wrapper may forbid the search after it.
  nonisolated(nonsending) private mutating func firstPlayable(_ ads: inout [VASTAd], _ way: Way) async -> [ResolvedAd] {
    while !ads.isEmpty {
      let ad = ads.removeFirst()
      let found = await resolve(ad, way)
      if !found.isEmpty { return found }
      if case .wrapper(let wrapper) = ad.content, wrapper.fallsBack == false { return [] }
    }
    return []
  }

  nonisolated(nonsending) private mutating func resolve(_ ad: VASTAd, _ way: Way) async -> [ResolvedAd] {
    switch ad.content {
    case .inLine(let inLine):
      let base = way.addresses.last
      let found = ResolvedAd(ad, inLine, version: way.document.version, address: base, wrappers: way.wrappers)
      return await accept(found) ? [found] : []
    case .wrapper(let wrapper): return await follow(wrapper, of: ad, way)
    }
  }

  nonisolated(nonsending) private mutating func follow(_ wrapper: VASTWrapper, of ad: VASTAd, _ way: Way) async
    -> [ResolvedAd]
  {
    let errors = ad.parts.errors + way.errors
    let url = address(wrapper.tag, way.addresses.last)
    guard way.followsWrappers else {
      return recordProblem(.noAdAfterWrappers, "a wrapper that the previous wrapper forbids: \(url)", errors)
    }
    guard way.wrappers.count < Self.deepest else {
      return recordProblem(.wrapperLimit, "more than \(Self.deepest) wrappers lead to the ad", errors)
    }
    guard !way.addresses.contains(url) else {
      return recordProblem(.wrapperLimit, "the wrappers form a loop back to \(url)", errors)
    }
    guard let document = await load(url, errors) else { return [] }
    var next = Way(document: document)
    next.wrappers = way.wrappers + [ad]
    next.addresses = way.addresses + [url]
    next.followsWrappers = wrapper.followsWrappers
    next.allowsMultipleAds = wrapper.allowsMultipleAds
    return await ads(of: document, next)
  }

  nonisolated(nonsending) private mutating func load(_ url: String, _ errors: [String]) async -> VASTDocument? {
    let bytes: [UInt8]
    do {
      resolution.loaded.append(url)
      bytes = try await fetch(url)
    } catch {
      // The code of what is unavailable is that of what comes too late.
      recordProblem(error.kind == .refused ? .wrapper : .wrapperTimeout, "\(url): \(error.reason)", errors)
      return nil
    }
    do {
      let document = try VASTParser.parse(bytes)
      recordFlaws(of: document, from: url)
      return document
    } catch {
      recordProblem(error.code, "\(url), \(error)", errors)
      return nil
    }
  }

  private mutating func recordFlaws(of document: VASTDocument, from url: String?) {
    resolution.flaws += document.flaws.map { .init(remark: $0, url: url) }
    resolution.departures += document.departures.map { .init(remark: $0, url: url) }
  }

  @discardableResult private mutating func recordProblem(
    _ code: VASTErrorCode, _ message: String, _ beacons: [String]
  ) -> [ResolvedAd] {
    resolution.problems.append(VASTProblem(code, message, beacons: beacons))
    return []
  }
}

/// Result of following a response's wrappers.
package struct VASTResolution: Hashable, Sendable {
  /// Ads in playing order.
  package var ads: [ResolvedAd] = []
  /// Problems on the way, in the order in which they were found.
  package var problems: [VASTProblem] = []
  /// Faults that were corrected or ignored, each with its response: nil for the first.
  package var flaws: [Located<VASTFlaw>] = []
  /// Other departures of the responses from the schema, in the same form.
  package var departures: [Located<VASTDeparture>] = []
  /// Addresses that were loaded, in order.
  package var loaded: [String] = []

  /// Remark on a response, with the address that it was loaded from.
  package struct Located<Remark: Hashable & Sendable>: Hashable, Sendable {
    package var remark: Remark
    package var url: String?
  }
}

/// Problem of an ad, with the error addresses to request.
package struct VASTProblem: Error, Hashable, Sendable {
  package var code: VASTErrorCode
  package var message: String
  /// Error addresses, with their macros not yet replaced.
  package var beacons: [String]
  /// Frameworks of the programs that the ad has instead of a video, sorted.
  package var programs: [String]

  package init(_ code: VASTErrorCode, _ message: String, beacons: [String] = [], programs: [String] = []) {
    self.code = code
    self.message = message
    self.beacons = beacons
    self.programs = programs
  }

  /// Returns the same problem with other error addresses.
  package func told(to beacons: [String]) -> VASTProblem {
    var problem = self
    problem.beacons = beacons
    return problem
  }
}

/// Reason that a wrapper's response wasn't loaded.
package struct VASTFetchFailure: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The address is invalid, or one that isn't requested.
    case refused
    /// The server didn't answer, or not as a server should.
    case unreachable
    case timedOut
  }
  package var kind: Kind
  package var reason: String

  package init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }
}
