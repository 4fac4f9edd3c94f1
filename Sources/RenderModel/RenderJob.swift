package import Core
package import Device
package import MRAID

/// One creative to render, with the device, the placement, the scenario and the options.
package struct RenderJob: Hashable, Sendable, Codable {
  /// Unique within a run.
  package var id: Int
  /// Number of this start of the job, from 1.
  package var attempt = 1
  /// Source and name of the creative.
  package var creative: CreativeReference
  /// The folder for this creative's results, absolute.
  package var output: String
  package var device: Device
  /// Orientation of the device; nil for its natural one.
  package var orientation: AppOrientation?
  package var placement: Placement
  package var scenario: Scenario?
  /// The feed's source, for the placement `feed`.
  package var feed: FeedReference?
  /// The container that shows the creative; nil for the standard one.
  package var container: ContainerProfile?
  package var limits: Limits
  package var options: RenderOptions
  /// Messages to the caller about the job itself; repeated in the record.
  package var warnings: [String] = []
  /// Values of the job that were assumed because they weren't given; repeated in the record.
  package var assumptions: [Assumption]?

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
  /// Choice about tracking to signal to the ad: the caller's, else the scenario's; nil for no signal.
  package var consent: Consent? { options.consent ?? scenario?.consent }

  /// Indicates if the app measures by Open Measurement, which the caller or the scenario can request.
  package var measuresByOMID: Bool { options.omid || scenario?.omid == true }
}

extension RenderJob {
  /// The same job without the creative's own scenario; nil for a job with another scenario or none, and for a feed.
  package func unsteered(id: Int, output: String) -> RenderJob? {
    guard scenario?.comesWithCreative == true, feed == nil else { return nil }
    var job = self
    (job.id, job.output, job.scenario) = (id, output, nil)
    (job.options.captures, job.options.film) = (CaptureSchedule(), nil)
    return job
  }
}

/// Source and name of a creative.
package struct CreativeReference: Hashable, Sendable, Codable {
  /// The argument as the caller wrote it: a path, `-` or a URL.
  package var argument: String
  /// Absolute path of the file or folder (standard input is spooled to a file); nil for a URL.
  package var path: String?
  /// The folder or page in the zip at `path` that is the creative; nil if the whole zip is one creative.
  package var inner: String?
  /// Name of the result folder.
  package var name: String

  package init(argument: String, path: String?, inner: String? = nil, name: String) {
    self.argument = argument
    self.path = path
    self.inner = inner
    self.name = name
  }
}

/// Placement of the ad in the app.
package struct Placement: Hashable, Sendable, Codable {
  package enum Kind: String, Sendable, Codable, CaseIterable {
    case banner, interstitial
    /// Between posts, in a feed that the host draws.
    case feed
  }
  package typealias Position = SlotPosition

  /// A banner's slot if no size is given: the most common one on phones.
  package static let fallbackSize = Size(width: 320, height: 50)

  package var kind: Kind
  /// Size of a banner's slot in dip; nil uses the creative's own, else 320x50.
  package var size: Size?
  package var position: Position

  package init(kind: Kind, size: Size? = nil, position: Position = .center) {
    self.kind = kind
    self.size = size
    self.position = position
  }
}

/// Resource limits of a render.
package struct Limits: Hashable, Sendable, Codable {
  /// Seconds of rendering, without the time in the queue.
  package var timeout: Double
  /// Mebibytes of resident memory: of its web process, plus the growth that it causes in the other processes.
  package var memory: Int

  package init(timeout: Double = 30, memory: Int = 2048) {
    self.timeout = timeout
    self.memory = memory
  }
}

/// Options that control the execution of a render.
package struct RenderOptions: Hashable, Sendable, Codable {
  /// Resources that two creatives of a batch may share.
  package enum Isolation: String, Sendable, Codable, CaseIterable {
    /// Nothing is shared: each gets a web process and a session.
    case process
    /// The web process is shared; storage is cleared and the origin is new.
    case session
  }

  /// Clock of a creative.
  package enum Clock: String, Sendable, Codable, CaseIterable {
    /// Virtual time, which advances as soon as nothing is left to do: the same instants every time, without waiting.
    case virtual
    /// The machine's time.
    case real
  }

  /// Choice of the drawing of a creative's pages.
  package enum Compositing: String, Sendable, Codable, CaseIterable {
    /// A compositor if something on the page has depth or a backdrop filter, else the page itself, which is faster.
    case automatic = "auto"
    case always
    case never
  }

  package var isolation: Isolation
  package var compositing: Compositing
  package var clock: Clock
  /// Initial date and time of a creative's virtual clock, in seconds since 1970; nil for the present.
  package var date: Double?
  /// Indicates if `open` really loads its page into the clickthrough browser.
  package var followsClickthroughs: Bool
  /// Language of the app; nil for the standard.
  package var locale: LanguageTag?
  /// Time zone of the creative; nil for the standard.
  package var timeZone: TimeZoneName?
  /// Colour scheme preferred by the user; nil for the standard.
  package var colorScheme: ColorScheme?
  /// True if the user prefers reduced motion; nil for false.
  package var reducedMotion: Bool?
  /// Addresses that requests may reach.
  package var network: NetworkPolicy
  /// Handling of the requests on their way; nil leaves it to the network.
  package var traffic: TrafficOptions?
  /// Seconds a creative must stay in its state before the render ends; nil for 0.1, or for 0 after a scenario.
  package var idleTime: Double?
  /// Seconds for which the ad's motion is measured; nil for three.
  package var measureTime: Double?
  /// A bridge script to show that the conformance suite detects the faults in one; nil for Galley's own script.
  package var bridge: String?
  /// The user's choice about tracking as signalled to pages and in addresses; nil for no signal.
  package var consent: Consent?
  /// Indicates if the app has an Open Measurement SDK, which makes a session for each ad and runs measuring code.
  package var omid: Bool
  /// Seed of `Math.random` and similar sources in every frame, so that chance is the same every time; nil leaves it.
  package var seed: UInt32?
  /// Instants of screenshots, which replace the screenshot of the ad at rest.
  package var captures: CaptureSchedule
  /// Film to record of the ad; nil for none.
  package var film: FilmRequest?
  /// Indicates if pages are watched for elements that a user could tap, for the `observe` steps.
  package var explores: Bool
  /// Indicates if a video ad's tracking requests are really sent; off by default, so that tests don't count as
  /// impressions.
  package var sendsBeacons: Bool
  /// True if the render fails if the engine's sandbox can't be used; nil for false, as in jobs of older versions.
  package var requiresSandbox: Bool?
  /// Indicates if data that verdicts need beyond the events are measured, for `measurements.json`; takes more time.
  package var measures: Bool

  package init(
    isolation: Isolation = .process, followsClickthroughs: Bool = false, network: NetworkPolicy = .any,
    idleTime: Double? = nil, measureTime: Double? = nil, clock: Clock = .virtual, date: Double? = nil,
    bridge: String? = nil, explores: Bool = false, measures: Bool = false,
    compositing: Compositing = .automatic, captures: CaptureSchedule = CaptureSchedule(), seed: UInt32? = nil,
    sendsBeacons: Bool = false, film: FilmRequest? = nil, traffic: TrafficOptions? = nil,
    consent: Consent? = nil, omid: Bool = false, settings: UserSettings = UserSettings()
  ) {
    (locale, timeZone) = (settings.locale, settings.timeZone)
    (colorScheme, reducedMotion) = (settings.colorScheme, settings.reducedMotion)
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

  /// Adopts a seed and a date, unless others were requested. With the machine's clock the date is ignored.
  package mutating func assume(seed: UInt32?, date: Double?) {
    self.seed = self.seed ?? seed
    if clock == .virtual { self.date = self.date ?? date }
  }

  /// Adopts a user's settings, unless others were requested.
  package mutating func assume(_ settings: UserSettings) {
    locale = locale ?? settings.locale
    timeZone = timeZone ?? settings.timeZone
    colorScheme = colorScheme ?? settings.colorScheme
    reducedMotion = reducedMotion ?? settings.reducedMotion
  }

  /// The user's settings that differ from the standard.
  package var settings: UserSettings {
    UserSettings(locale: locale, timeZone: timeZone, colorScheme: colorScheme, reducedMotion: reducedMotion).other
  }

  /// Indicates if the ad is left alone and captured at instants, rather than captured at rest.
  package var isTimed: Bool { !captures.isEmpty || film?.playsScenario == false }
}

/// The part of the network that a creative may reach.
package struct NetworkPolicy: Hashable, Sendable, Codable {
  /// Kinds of access, as on the command line.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// Every address that the machine itself can reach.
    case any
    /// The public internet: no private, loopback, link-local or metadata address, in any notation.
    case `public`
    /// No address, not even of this machine; a creative's own files don't need the network.
    case none
  }

  package var kind: Kind
  /// Blocks of addresses that `public` and `none` may reach in addition, such as `10.1.0.0/16`.
  package var allowed: [String]

  package init(_ kind: Kind, allowed: [String] = []) {
    self.kind = kind
    self.allowed = allowed
  }

  package static let any = NetworkPolicy(.any)
  package static let publicInternet = NetworkPolicy(.public)
  package static let none = NetworkPolicy(.none)
}

/// Source of a feed's rules, and the creatives of its ads.
package struct FeedReference: Hashable, Sendable, Codable {
  /// The argument as the caller wrote it.
  package var argument: String
  /// Absolute path of the feed file; sources are relative to its folder.
  package var path: String
  /// Creatives that fill the feed's ad slots in turn; the job's own creative is the first of them.
  package var creatives: [CreativeReference]

  package init(argument: String, path: String, creatives: [CreativeReference]) {
    self.argument = argument
    self.path = path
    self.creatives = creatives
  }

  /// The feed itself as a creative to render, named like its file without the extension.
  package var asCreative: CreativeReference {
    let file = path.split(separator: "/").last.map(String.init) ?? "feed"
    let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    return CreativeReference(argument: argument, path: path, name: stem.isEmpty ? "feed" : stem)
  }
}

/// Message from a worker on its standard output, one JSON object per line.
package enum WorkerMessage: Hashable, Sendable, Codable {
  /// The worker can take a job.
  case ready
  /// The job's present phase, for progress lines.
  case progress(job: Int, phase: String)
  /// The job is done and its results are on disk.
  case finished(job: Int, record: RenderRecord)
}

/// Request to a worker on its standard input, one JSON object per line.
package enum WorkerRequest: Hashable, Sendable, Codable {
  /// Render this job. The end of the input means: finish and exit.
  case render(RenderJob)

  /// Name of the environment variable with the clock of a worker's engine, which is chosen when the process starts.
  package static let clockVariable = "GALLEY_CLOCK"
}
