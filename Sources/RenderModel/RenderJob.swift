package import Core
package import Device
package import MRAID

/// One creative to render: what, on which device, in which placement, by which scenario.
package struct RenderJob: Hashable, Sendable, Codable {
  /// Unique within a run.
  package var id: Int
  /// The how-manieth start of this job it is, from 1.
  package var attempt = 1
  /// Where the creative is.
  package var creative: CreativeReference
  /// The folder for this creative's results, absolute.
  package var output: String
  package var device: Device
  /// How the device is held; nil for its natural way.
  package var orientation: AppOrientation?
  package var placement: Placement
  package var scenario: Scenario?
  /// What the feed is made of, for the placement of that name.
  package var feed: FeedReference?
  /// The container the creative meets; nil for the standard's.
  package var container: ContainerProfile?
  package var limits: Limits
  package var options: RenderOptions
  /// What the caller should know of the job itself; the record repeats it.
  package var warnings: [String] = []

  package init(
    id: Int, creative: CreativeReference, output: String, device: Device, orientation: AppOrientation? = nil,
    placement: Placement, scenario: Scenario? = nil, container: ContainerProfile? = nil, limits: Limits = Limits(),
    options: RenderOptions = RenderOptions()
  ) {
    self.id = id
    self.creative = creative
    self.output = output
    self.device = device
    self.orientation = orientation
    self.placement = placement
    self.scenario = scenario
    self.container = container
    self.limits = limits
    self.options = options
  }
}

extension RenderJob {
  /// What the ad is told of consent: what the caller says, else its scenario.
  package var consent: Consent? { options.consent ?? scenario?.consent }

  /// Whether the app measures by Open Measurement: where the caller or its scenario says so.
  package var measuresByOMID: Bool { options.omid || scenario?.omid == true }
}

/// Where a creative is and what to call it.
package struct CreativeReference: Hashable, Sendable, Codable {
  /// What the caller wrote: a path, `-` or a URL.
  package var argument: String
  /// Absolute path of the file or folder (standard input is spooled to one), nil for a URL.
  package var path: String?
  /// The result folder's name.
  package var name: String

  package init(argument: String, path: String?, name: String) {
    self.argument = argument
    self.path = path
    self.name = name
  }
}

/// Where the app shows the ad.
package struct Placement: Hashable, Sendable, Codable {
  package enum Kind: String, Sendable, Codable, CaseIterable {
    case banner, interstitial
    /// Among posts, in a feed that the host draws.
    case feed
  }
  package typealias Position = SlotPosition

  /// A banner's slot where nothing says its size: the commonest on phones.
  package static let fallbackSize = Size(width: 320, height: 50)

  package var kind: Kind
  /// A banner's slot in dip; nil takes the creative's own, else 320x50.
  package var size: Size?
  package var position: Position

  package init(kind: Kind, size: Size? = nil, position: Position = .center) {
    self.kind = kind
    self.size = size
    self.position = position
  }
}

/// What a render may use.
package struct Limits: Hashable, Sendable, Codable {
  /// Seconds of rendering, queueing not counted.
  package var timeout: Double
  /// Mebibytes of resident memory: of its web process, and what it makes the other processes grow by.
  package var memory: Int

  package init(timeout: Double = 30, memory: Int = 1024) {
    self.timeout = timeout
    self.memory = memory
  }
}

/// How a render goes about it.
package struct RenderOptions: Hashable, Sendable, Codable {
  /// What two creatives of a batch may share.
  package enum Isolation: String, Sendable, Codable, CaseIterable {
    /// Nothing: a web process and a session each.
    case process
    /// The web process; storage is cleared and the origin new.
    case session
  }

  /// Which time a creative lives in.
  package enum Clock: String, Sendable, Codable, CaseIterable {
    /// One of its own, that passes as soon as nothing is left to do: the same instants every time, without waiting.
    case virtual
    /// The machine's.
    case real
  }

  /// Who draws a creative's pages.
  package enum Compositing: String, Sendable, Codable, CaseIterable {
    /// A compositor where something on the page has depth or a backdrop filter, else the page itself, which is faster.
    case automatic = "auto"
    case always
    case never
  }

  package var isolation: Isolation
  package var compositing: Compositing
  package var clock: Clock
  /// The day and hour a creative with a virtual clock finds, in seconds since 1970; nil for now.
  package var date: Double?
  /// Whether `open` really loads its page into the clickthrough browser.
  package var followsClickthroughs: Bool
  /// What requests may reach.
  package var network: NetworkPolicy
  /// What becomes of them on their way; nil leaves it to the network.
  package var traffic: TrafficOptions?
  /// Seconds a creative must stay in its state before the render ends; nil for a tenth, or none after a scenario.
  package var idleTime: Double?
  /// Seconds for which its motion is measured; nil for three.
  package var measureTime: Double?
  /// A bridge script in the place of Galley's own, so that the suite can be shown to notice what is broken in one.
  package var bridge: String?
  /// What pages and addresses are told that the person said to being tracked; nil tells nothing.
  package var consent: Consent?
  /// Whether the app has an Open Measurement SDK, which has a session for each ad and runs measuring code.
  package var omid: Bool
  /// What `Math.random` and the like begin with in every frame, so that chance is the same every time; nil leaves it.
  package var seed: UInt32?
  /// What is taken at instants, in the place of the picture of the ad at rest.
  package var captures: CaptureSchedule
  /// A film that is taken of it; nil for none.
  package var film: FilmRequest?
  /// Whether pages are watched for what a person could tap, so that `observe` steps can tell.
  package var explores: Bool
  /// Whether who counts a video ad's events is really told; nobody is unless asked, lest proofs count as impressions.
  package var sendsBeacons: Bool
  /// Whether what verdicts need and events don't carry is measured, into `measurements.json`; costs time.
  package var measures: Bool

  package init(
    isolation: Isolation = .process, followsClickthroughs: Bool = false, network: NetworkPolicy = .any,
    idleTime: Double? = nil, measureTime: Double? = nil, clock: Clock = .virtual, date: Double? = nil,
    bridge: String? = nil, explores: Bool = false, measures: Bool = false,
    compositing: Compositing = .automatic, captures: CaptureSchedule = CaptureSchedule(), seed: UInt32? = nil,
    sendsBeacons: Bool = false, film: FilmRequest? = nil, traffic: TrafficOptions? = nil,
    consent: Consent? = nil, omid: Bool = false
  ) {
    self.consent = consent
    self.omid = omid
    self.traffic = traffic
    self.film = film
    self.sendsBeacons = sendsBeacons
    self.seed = seed
    self.captures = captures
    self.compositing = compositing
    self.clock = clock
    self.date = date
    self.idleTime = idleTime
    self.measureTime = measureTime
    self.bridge = bridge
    self.explores = explores
    self.measures = measures
    self.isolation = isolation
    self.followsClickthroughs = followsClickthroughs
    self.network = network
  }

  /// Takes over what chance begins with and the date, as far as nobody asked for others; the machine's time has a date of
  /// its own.
  package mutating func assume(seed: UInt32?, date: Double?) {
    self.seed = self.seed ?? seed
    if clock == .virtual { self.date = self.date ?? date }
  }

  /// Whether the ad is left alone and looked at instant by instant, rather than pictured at rest.
  package var isTimed: Bool { !captures.isEmpty || film?.playsScenario == false }
}

/// What of the network a creative may speak to.
package struct NetworkPolicy: Hashable, Sendable, Codable {
  /// The kinds of reach, as the command line has them.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// Whatever the machine itself reaches.
    case any
    /// The public internet: no private, loopback, link-local or metadata address, however it is spelled.
    case `public`
    /// Nothing, not even this machine; a creative's own files don't go by the network.
    case none
  }

  package var kind: Kind
  /// Blocks of addresses that `public` and `none` may reach besides, as `10.1.0.0/16`.
  package var allowed: [String]

  package init(_ kind: Kind, allowed: [String] = []) {
    self.kind = kind
    self.allowed = allowed
  }

  package static let any = NetworkPolicy(.any)
  package static let publicInternet = NetworkPolicy(.public)
  package static let none = NetworkPolicy(.none)
}

/// Where a feed's rules are, and which creatives its ads are.
package struct FeedReference: Hashable, Sendable, Codable {
  /// What the caller wrote.
  package var argument: String
  /// Absolute path of the feed file; sources are relative to its folder.
  package var path: String
  /// They fill the feed's ad slots in turn; the job's own creative is the first of them.
  package var creatives: [CreativeReference]

  package init(argument: String, path: String, creatives: [CreativeReference]) {
    self.argument = argument
    self.path = path
    self.creatives = creatives
  }

  /// The feed itself as something to render: named like its file, without the ending.
  package var asCreative: CreativeReference {
    let file = path.split(separator: "/").last.map(String.init) ?? "feed"
    let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    return CreativeReference(argument: argument, path: path, name: stem.isEmpty ? "feed" : stem)
  }
}

/// What a worker says on its standard output, one JSON object a line.
package enum WorkerMessage: Hashable, Sendable, Codable {
  /// The worker can take a job.
  case ready
  /// The job's present phase, for progress lines.
  case progress(job: Int, phase: String)
  /// The job is done and its results are on disk.
  case finished(job: Int, record: RenderRecord)
}

/// What a worker is told on its standard input, one JSON object a line.
package enum WorkerRequest: Hashable, Sendable, Codable {
  /// Render this; end of input means finish and exit.
  case render(RenderJob)

  /// Names the environment entry with the clock that a worker's engine lives in: it starts with the process.
  package static let clockVariable = "GALLEY_CLOCK"
}
