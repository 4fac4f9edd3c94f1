/// Follows wrappers to the ads themselves; loading is somebody else's.
package struct VASTResolver {
  /// Loads a response; the address has its macros replaced.
  package typealias Fetch = nonisolated(nonsending) (String) async throws(VASTFetchFailure) -> [UInt8]

  /// Says whether an ad can be played; one that can't gives way to another where the response has one.
  package typealias Accept = nonisolated(nonsending) (ResolvedAd) async -> Bool

  /// Wrappers that may lead to an ad (VAST 4.2 §2.4.3.3).
  private static let deepest = 5

  private let fetch: Fetch
  private let accept: Accept
  /// Makes of an address in a response what is loaded: macros, and relative to where the response came from.
  private let address: (String, _ base: String?) -> String
  private var resolution = VASTResolution()

  private init(fetch: @escaping Fetch, accept: @escaping Accept, address: @escaping (String, String?) -> String) {
    self.fetch = fetch
    self.accept = accept
    self.address = address
  }

  /// The ads of a document in the order they are to be played: its pod, or the first that stands alone and can be.
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

  /// The first in-line ad of a document as it is, which needs nothing loaded; nil where there is none.
  package static func inLine(_ document: VASTDocument) -> ResolvedAd? {
    for ad in document.pod + document.standAlone {
      guard case .inLine(let inLine) = ad.content else { continue }
      return ResolvedAd(ad, inLine, version: document.version, address: nil, wrappers: [])
    }
    return nil
  }

  /// How a document was come to.
  private struct Way {
    var wrappers: [VASTAd] = []
    /// Of responses on the way, to see a loop.
    var addresses: [String] = []
    var followsWrappers = true
    var allowsMultipleAds = true
    let document: VASTDocument

    init(document: VASTDocument) { self.document = document }

    /// Who is told of an error here: everybody on the way, the nearest first.
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

  /// Takes ads until one leads somewhere; a wrapper may forbid to go on after it.
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
      return recordProblem(.noAdAfterWrappers, "a wrapper where the one before forbids another: \(url)", errors)
    }
    guard way.wrappers.count < Self.deepest else {
      return recordProblem(.wrapperLimit, "more than \(Self.deepest) wrappers lead to the ad", errors)
    }
    guard !way.addresses.contains(url) else {
      return recordProblem(.wrapperLimit, "the wrappers lead in a circle back to \(url)", errors)
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
      recordProblem(error.kind == .timedOut ? .wrapperTimeout : .wrapper, "\(url): \(error.reason)", errors)
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

/// What following a response's wrappers came to.
package struct VASTResolution: Hashable, Sendable {
  /// In the order they are to be played.
  package var ads: [ResolvedAd] = []
  /// Everything that went wrong on the way, in the order it was found.
  package var problems: [VASTProblem] = []
  /// What was mended or passed over, and in which response: nil for the first.
  package var flaws: [Located<VASTFlaw>] = []
  /// Where else responses depart from the schema, in the same form.
  package var departures: [Located<VASTDeparture>] = []
  /// Addresses that were loaded, in order.
  package var loaded: [String] = []

  /// A remark on a response that was come to by this address.
  package struct Located<Remark: Hashable & Sendable>: Hashable, Sendable {
    package var remark: Remark
    package var url: String?
  }
}

/// Something wrong with an ad, and who has to be told.
package struct VASTProblem: Error, Hashable, Sendable {
  package var code: VASTErrorCode
  package var message: String
  /// Error addresses with their macros as they were written.
  package var beacons: [String]
  /// Frameworks of the programs that stand there without a film, sorted.
  package var programs: [String]

  package init(_ code: VASTErrorCode, _ message: String, beacons: [String] = [], programs: [String] = []) {
    self.code = code
    self.message = message
    self.beacons = beacons
    self.programs = programs
  }

  /// The same, of which these addresses are to hear.
  package func told(to beacons: [String]) -> VASTProblem {
    var problem = self
    problem.beacons = beacons
    return problem
  }
}

/// Why a wrapper's response didn't come.
package struct VASTFetchFailure: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The address is none, or nobody answers there as a server should.
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
