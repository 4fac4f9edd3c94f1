package import Core
package import Device
package import MRAID

/// What one render found, written as `result.json` (Schemas/result.schema.json); nothing in it is judged.
package struct RenderRecord: Hashable, Sendable, Codable {
  /// The code of a render whose creative took more memory than it may.
  package static let memoryCode = "memory-exceeded"

  package enum Outcome: String, Sendable, Codable, CaseIterable {
    case completed, failed, crashed, timedOut
  }
  package struct Creative: Hashable, Sendable, Codable {
    /// As the caller wrote it.
    package var path: String
    /// Lower-case hex of the file, or of the sorted list of a folder's files; nil when it couldn't be read.
    package var sha256: String?
    /// html, folder, zip, fragment, vast, vmap, bid or url; nil when it couldn't be read.
    package var kind: String?
    /// The file of a folder that it begins with.
    package var document: String?
    package init(path: String, sha256: String? = nil, kind: String? = nil) {
      self.path = path
      self.sha256 = sha256
      self.kind = kind
    }
  }
  package struct DeviceSummary: Hashable, Sendable, Codable {
    package var name: String
    package var width: Double
    package var height: Double
    /// What the page sees as devicePixelRatio.
    package var scale: Double
    /// What pictures are drawn at: `scale` rounded up.
    package var renderScale: Int
    package init(name: String, width: Double, height: Double, scale: Double, renderScale: Int) {
      self.name = name
      self.width = width
      self.height = height
      self.scale = scale
      self.renderScale = renderScale
    }
  }
  package struct PlacementSummary: Hashable, Sendable, Codable {
    package var kind: Placement.Kind
    package var width: Double
    package var height: Double
    package var position: Placement.Position?
    /// Whether nobody said a banner's size, neither the call nor the creative; nil where somebody did.
    package var assumed: Bool?
    /// What the size was taken from where it was assumed.
    package var assumedFrom: SizeSource?
    package init(
      kind: Placement.Kind, width: Double, height: Double, position: Placement.Position?,
      assumedFrom: SizeSource? = nil
    ) {
      assumed = assumedFrom == nil ? nil : true
      self.assumedFrom = assumedFrom
      self.kind = kind
      self.width = width
      self.height = height
      self.position = position
    }
  }
  package struct Engine: Hashable, Sendable, Codable {
    package var webkit: String
    package var galley: String
    package var sandbox: Bool
    /// Whether a compositor drew the pages; nil where nothing needed one.
    package var compositor: Bool?
    /// Why web processes of this worker were started rather than forked; nil where none was.
    package var unforked: String?
    package init(
      webkit: String, galley: String, sandbox: Bool, compositor: Bool? = nil, unforked: String? = nil
    ) {
      self.compositor = compositor
      self.unforked = unforked
      self.webkit = webkit
      self.galley = galley
      self.sandbox = sandbox
    }
  }
  package struct Transition: Hashable, Sendable, Codable {
    package var from: MRAIDState
    package var to: MRAIDState
    /// Milliseconds since the load began.
    package var t: Double
    /// What led to it: `expand`, `close`, `hostClose`, …
    package var cause: String
    package init(from: MRAIDState, to: MRAIDState, t: Double, cause: String) {
      self.from = from
      self.to = to
      self.t = t
      self.cause = cause
    }
  }
  package struct Screenshot: Hashable, Sendable, Codable {
    /// `001-default`
    package var name: String
    /// Relative to the result folder.
    package var path: String
    package var state: MRAIDState
    package var t: Double
    /// Seconds since the ad was shown, where the picture was asked for at that instant.
    package var at: Double?
    /// Physical pixels.
    package var width: Int
    package var height: Int
    /// The part of the ad that isn't of its commonest colour, from 0 to 1; nil where there is no picture of it alone.
    package var contentShare: Double?
    package init(
      name: String, path: String, state: MRAIDState, t: Double, at: Double? = nil, width: Int, height: Int,
      contentShare: Double? = nil
    ) {
      self.at = at
      self.contentShare = contentShare
      self.name = name
      self.path = path
      self.state = state
      self.t = t
      self.width = width
      self.height = height
    }
  }
  /// A step of the scenario as it went; times are milliseconds since the load began.
  package struct Step: Hashable, Sendable, Codable {
    /// Where it stands in the scenario, from 1.
    package var line: Int
    /// As a scenario has it: `tap: "#buy"`.
    package var text: String
    package var start: Double
    package var end: Double
    /// Why it couldn't be done or didn't hold; nil when it did.
    package var failure: String?
    /// What a selector that matched nothing could have meant: ids that were there.
    package var candidates: [String]?
    package init(
      line: Int, text: String, start: Double, end: Double, failure: String? = nil, candidates: [String]? = nil
    ) {
      (self.line, self.text, self.start, self.end) = (line, text, start, end)
      (self.failure, self.candidates) = (failure, candidates)
    }
  }
  /// The frames that were taken at even distances.
  package struct Filmstrip: Hashable, Sendable, Codable {
    /// All frames on one sheet, and one after the other as an animated PNG; relative to the result folder.
    package var sheet: String
    package var animation: String
    /// Seconds from one frame to the next.
    package var interval: Double
    package var frames: Int
    package init(sheet: String, animation: String, interval: Double, frames: Int) {
      self.sheet = sheet
      self.animation = animation
      self.interval = interval
      self.frames = frames
    }
  }

  /// The version of this document's shape.
  package var schema = Galley.schema
  package var creative: Creative
  package var device: DeviceSummary
  package var placement: PlacementSummary?
  /// The container's name, unless it was the standard's.
  package var container: String?
  /// What the ad was told that the person said to being tracked; nil when it was told nothing.
  package var consent: Consent?
  /// Whether the app measured by Open Measurement; nil when it didn't.
  package var omid: Bool?
  package var engine: Engine?
  package var outcome: Outcome
  /// Why it didn't complete, in a line.
  package var message: String?
  /// Who has to act when it didn't complete.
  package var origin: Fault.Origin?
  package var code: String?
  package var states: [MRAIDState]
  package var transitions: [Transition]
  /// The scenario's steps as far as it came; nil without one.
  package var steps: [Step]?
  package var screenshots: [Screenshot]
  package var filmstrip: Filmstrip?
  /// What can't be made the same every time; nil for nothing, and where time is the machine's.
  package var nondeterminism: [Nondeterminism]?
  /// What the caller should know though the render completed.
  package var warnings: [String]
  package var eventCount: Int
  /// Starts it took: more than 1 when a worker or web process died under it.
  package var attempts: Int
  /// When the load began by the machine's clock, in ISO 8601 with milliseconds; nil when nothing was loaded.
  package var began: String?
  /// Milliseconds by phase: open, load, settle, total, …
  package var timings: [String: Double]

  package init(
    creative: Creative, device: DeviceSummary, placement: PlacementSummary? = nil, container: String? = nil,
    engine: Engine? = nil,
    outcome: Outcome, failure: Fault? = nil, states: [MRAIDState] = [], transitions: [Transition] = [],
    screenshots: [Screenshot] = [], filmstrip: Filmstrip? = nil, nondeterminism: [Nondeterminism]? = nil,
    warnings: [String] = [], eventCount: Int = 0,
    attempts: Int = 1,
    timings: [String: Double] = [:]
  ) {
    self.creative = creative
    self.device = device
    self.placement = placement
    self.container = container
    self.engine = engine
    self.outcome = outcome
    self.message = failure?.message
    self.origin = failure?.origin
    self.code = failure?.code
    self.states = states
    self.transitions = transitions
    self.screenshots = screenshots
    self.filmstrip = filmstrip
    self.nondeterminism = nondeterminism
    self.warnings = warnings
    self.eventCount = eventCount
    self.attempts = attempts
    self.timings = timings
  }
}

extension [RenderRecord.Screenshot] {
  /// The one with most of the ad to see, the first of equals: an ad may fade in from a black frame, or out to one.
  package var fullest: RenderRecord.Screenshot? {
    reduce(nil) { best, next in
      guard let best else { return next }
      return next.contentShare ?? 0 > best.contentShare ?? 0 ? next : best
    }
  }
}

extension RenderRecord {
  /// What stands for the creative where there is room for one picture: the fullest of the state that it begins in.
  package var thumbnail: Screenshot? { screenshots.filter { $0.state == screenshots.first?.state }.fullest }

  /// Why the render didn't complete; nil when it did.
  package var fault: Fault? {
    guard outcome != .completed else { return nil }
    return Fault(origin ?? .engine, code ?? "render-failed", message ?? "the render failed")
  }

  /// Notes why the render didn't complete.
  package mutating func fail(_ outcome: Outcome, _ failure: Fault) {
    (self.outcome, message, origin, code) = (outcome, failure.message, failure.origin, failure.code)
  }
}

extension RenderRecord.DeviceSummary {
  /// What a record says of a device: upright, however it is held.
  package init(_ device: Device) {
    self.init(
      name: device.name, width: device.screen.width, height: device.screen.height, scale: device.scale,
      renderScale: device.renderScale)
  }
}

/// What results are warned of that is the machine's doing, the same for every creative.
package enum MachineWarning {
  package static let sandboxOff = "WebKit's sandbox is off: bubblewrap doesn't work here"
  package static let filesVisible =
    "the worker sees all of this user's files: namespaces of its own don't work here"
  package static let clockMissing = "no virtual clock could be made: the creative lived in the machine's time"

  package static let all: Set<String> = [sandboxOff, filesVisible, clockMissing]
}

/// What a banner's size is taken from where nobody says it.
package enum SizeSource: String, Hashable, Sendable, Codable, CaseIterable {
  /// The name of its file or folder: `Acme_300x250.zip`.
  case name
  /// The style of its body, or of the first element in it.
  case body, element
  /// Nothing: it is the commonest size on phones.
  case fallback
}

/// What in a render with the virtual clock depends on the machine, so that screenshots may differ from run to run.
package enum Nondeterminism: String, Hashable, Sendable, Codable, CaseIterable {
  /// The engine's compositor drew the pages.
  case compositor
  /// A video took longer than five seconds to show what it should.
  case videos
  /// Time went on without something that a page had asked for: a stream, a poll, or what hadn't come in time.
  case network
  /// What the engine does for a page beside it, such as to decode and to compile, took longer than five seconds, or a
  /// thread of which nobody knows what it waits for was there for a second.
  case work
  /// A worker that pages share ran in a process of its own, as the engine has it where pages have no web address.
  case sharedWorkers
  /// Several workers of one file began at once: the engine loads it for all of them, and tells them in any order.
  case workersOfOneFile
}
