internal import Core
internal import RenderModel

/// Something that must have happened in a render before a check's answer without an issue counts.
package enum Precondition: Hashable, Sendable {
  /// The creative was rendered to its end.
  case load
  /// No request was cut off, so that everything that the ad asked for could arrive.
  case network
  /// The creative's own files could be read.
  case files
  /// All of the code in the creative's own files could be read.
  case code
  /// The code that tells isn't packed.
  case plainCode
  /// The size for which the ad was made is known, or the ad fills the screen.
  case size
  /// The render was measured.
  case measurements
  /// Media that play before the ad is shown were counted.
  case earlyPlayback
  /// Loading took time of the clock.
  case loadTime
  /// The document of every page was read.
  case document
  /// A picture of the ad alone was examined.
  case picture
  /// The ad's motion was watched.
  case motion
  /// The ad was tapped, pressed or swiped.
  case touch
  /// A tap led out of the ad.
  case clickthrough
  /// The ad made the store call of a network.
  case storeCall
  /// The ad was explored.
  case exploration
  /// The exploration could try everything that leads out of the ad.
  case wholeExploration
  /// The device was turned.
  case secondOrientation
  /// The ad was left alone for a minute.
  case lateObservation
  /// The ad was rendered without each of its hosts.
  case outages
  /// The app measured the ad by Open Measurement.
  case openMeasurement
  /// The ad was rendered for a user who doesn't consent to tracking.
  case refusedConsent
  /// The check itself worked.
  case soundCheck
  /// The ad was rendered in a container, by its name.
  case container(String)
}

extension Precondition {
  /// Fact that is missing and the means to provide it, for users.
  package var text: String {
    switch self {
    case .load: "the render didn't complete; fix the reason, and check the ad again"
    case .network: "requests were cut off; allow the network, or use --replay"
    case .files: "the ad's files can't be read; check the delivered files instead of an address"
    case .code: "not all of the ad's code can be read; check the delivered files instead of an address"
    case .plainCode: "part of the code is packed; make its calls in a scenario, or check a build that isn't packed"
    case .size: "the ad's size isn't known; declare it in ad.size, or use --size"
    case .measurements, .earlyPlayback, .motion: "the render wasn't measured; check the ad alone, without a feed"
    case .loadTime: "loading took no virtual time; use --clock real, or --network-profile 4g for an ad from a network"
    case .document: "the page couldn't be read; check the ad alone, without a feed"
    case .picture: "no picture of the ad was examined; check the ad alone, without a feed"
    case .touch: "nothing was tapped; use --explore or --scenario"
    case .clickthrough: "no tap led out of the ad; tap its button in a scenario, or raise --explore-actions"
    case .storeCall: "no store call was made; tap its button in a scenario, or raise --explore-actions"
    case .exploration: "the ad wasn't explored; use --explore"
    case .wholeExploration: "the exploration didn't try everything; use --scenario, or raise --explore-actions"
    case .secondOrientation: "the device wasn't turned; use --explore, or rotate in a scenario"
    case .lateObservation: "the ad wasn't left alone for a minute; use --clock virtual without a scenario"
    case .outages: "no host was left out; use --without-hosts"
    case .openMeasurement: "the ad wasn't measured by Open Measurement; use --omid"
    case .refusedConsent: "no consent was refused; use --consent refused"
    case .soundCheck: "the check itself failed, which is no fault of the ad; report it to Galley's maintainers"
    case .container(let name): "the ad was rendered in another container; use --container \(name)"
    }
  }

  /// Indicates if it is met by the evidence on a creative.
  package func isMet(by context: CheckContext) -> Bool {
    switch self {
    case .load: context.hasLoaded && context.record.outcome == .completed
    case .network: context.cutOffs.isEmpty
    case .files: context.inventory != nil
    case .code: context.inventory?.isCut == false
    case .plainCode: context.isCodeWhole
    case .size: SizeRuleChecks.size(of: context) != nil || SizeRuleChecks.fillsScreen(context)
    case .measurements: context.measurements != nil
    case .earlyPlayback: context.measurements?.beforeShown != nil
    case .loadTime: context.measurements?.isLoadTimed == true
    case .document: context.hasReadEveryPage
    case .picture: context.measurements?.pages.contains { $0.surface != nil } == true
    case .motion: context.measurements?.motion != nil
    case .touch: context.wasTouched
    case .clickthrough: context.hasLedOut
    case .storeCall: !context.storeCallsMade.isEmpty
    case .exploration: context.exploration != nil
    case .wholeExploration: context.hasLedOut || context.untried.isEmpty
    case .secondOrientation: context.events(.host, .rotate).contains { $0.event.detail["allowed"]?.bool == true }
    case .lateObservation: context.late != nil
    case .outages: context.outages != nil
    case .openMeasurement: context.record.omid == true
    case .refusedConsent: context.record.consent?.forbids == true
    case .soundCheck: true
    case .container(let name): context.record.container ?? Self.standardContainer == name
    }
  }

  /// Name of the container that records don't name.
  private static let standardContainer = "spec"
}

extension Precondition: Codable, Comparable {
  /// Cases without a name of their own, in the order of reports: what must be provided first comes first.
  package static let plain: [Precondition] = [
    .load, .soundCheck, .files, .code, .plainCode, .size, .measurements, .earlyPlayback, .loadTime, .document, .picture,
    .motion, .touch, .exploration, .clickthrough, .storeCall, .wholeExploration, .secondOrientation, .lateObservation,
    .network, .outages, .openMeasurement, .refusedConsent,
  ]

  /// Word in documents, as `touch` or `container:meta`.
  package var word: String {
    if case .container(let name) = self { return Self.containerPrefix + name }
    return "\(self)"
  }

  private static let containerPrefix = "container:"

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let word = try container.decode(String.self)
    if word.hasPrefix(Self.containerPrefix) {
      self = .container(String(word.dropFirst(Self.containerPrefix.count)))
    } else if let known = Self.plain.first(where: { $0.word == word }) {
      self = known
    } else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(word) is no precondition")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(word)
  }

  package static func < (one: Precondition, other: Precondition) -> Bool {
    (one.rank, one.word) < (other.rank, other.word)
  }

  /// Place in the order of reports; containers come last.
  private var rank: Int { Self.plain.firstIndex(of: self) ?? Self.plain.count }
}

extension Set<Precondition> {
  /// Preconditions for judging anything that the loaded ad does by itself.
  package static let rendered: Self = [.load, .network]
  /// Preconditions for judging the effects of touching the ad.
  package static let touched: Self = rendered.union([.touch])
  /// Preconditions for judging the states behind the first one.
  package static let explored: Self = rendered.union([.exploration])
  /// Preconditions for judging the measurements of a render.
  package static let measured: Self = rendered.union([.measurements])
  /// Preconditions for judging the content of documents.
  package static let read: Self = rendered.union([.document])
  /// Preconditions for judging the ad's motion.
  package static let watched: Self = rendered.union([.motion])
}

extension CheckContext {
  /// Indicates if the documents of all measured pages could be read.
  fileprivate var hasReadEveryPage: Bool {
    guard let pages = measurements?.pages, !pages.isEmpty else { return false }
    return pages.allSatisfy { $0.document != nil }
  }
}
