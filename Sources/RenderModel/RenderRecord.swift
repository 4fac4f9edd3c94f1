package import Core
package import Device
package import MRAID

/// Result of one render, written to `result.json` (Schemas/result.schema.json); it contains no verdicts.
package struct RenderRecord: Hashable, Sendable, Codable {
  /// Error code of a render whose creative exceeded its memory limit.
  package static let memoryCode = "memory-exceeded"

  package enum Outcome: String, Sendable, Codable, CaseIterable {
    case completed, failed, crashed, timedOut

    /// Outcome of a render that ended with this fault.
    package init(_ fault: Fault) {
      if fault.has(.webProcessCrashed) || fault.has(.workerDied) {
        self = .crashed
      } else {
        self = fault.origin == .deadline ? .timedOut : .failed
      }
    }
  }
  package struct Creative: Hashable, Sendable, Codable {
    /// Path as the caller wrote it.
    package var path: String
    /// Digest of the file, or of the sorted list of a folder's files, in lower-case hex; nil if it couldn't be read.
    package var sha256: String?
    /// html, folder, zip, fragment, vast, vmap, bid or url; nil if it couldn't be read.
    package var kind: String?
    /// The file of a folder that the creative begins with.
    package var document: String?
    /// Digests and addresses of its files; nil if no files were delivered or they couldn't be read.
    package var delivered: DeliveredFiles?
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
    /// Value of `devicePixelRatio` in the page.
    package var scale: Double
    /// Pixels per dip in screenshots: `scale` rounded up.
    package var renderScale: Int
    /// ios, android or desktop; nil in records of older versions.
    package var system: DeviceSystem?
    package init(
      name: String, width: Double, height: Double, scale: Double, renderScale: Int, system: DeviceSystem? = nil
    ) {
      self.name = name
      self.system = system
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
    /// True if neither the call nor the creative gave a banner's size; else nil.
    package var assumed: Bool?
    /// Source of an assumed size; nil if the size was given.
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
    /// Indicates if a compositor drew the pages; nil if nothing needed one.
    package var compositor: Bool?
    /// Reason why web processes of this worker were started rather than forked; nil if all were forked.
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
    /// Cause of the transition: `expand`, `close`, `hostClose`, …
    package var cause: String
    package init(from: MRAIDState, to: MRAIDState, t: Double, cause: String) {
      self.from = from
      self.to = to
      self.t = t
      self.cause = cause
    }
  }
  package struct Screenshot: Hashable, Sendable, Codable {
    /// Name of the screenshot: `001-default`.
    package var name: String
    /// Path relative to the result folder.
    package var path: String
    package var state: MRAIDState
    package var t: Double
    /// Seconds since the ad was shown, if the screenshot was requested for that instant; else nil.
    package var at: Double?
    /// Width in physical pixels.
    package var width: Int
    package var height: Int
    /// Share of the ad that doesn't have its most common colour, from 0 to 1; nil if there is no image of the ad alone.
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
  /// Result of a scenario's step; times are in milliseconds since the load began.
  package struct Step: Hashable, Sendable, Codable {
    /// Line of the step in the scenario, from 1.
    package var line: Int
    /// The step as written in a scenario: `tap: "#buy"`.
    package var text: String
    package var start: Double
    package var end: Double
    /// Reason why the step couldn't be done or didn't hold; nil if it succeeded.
    package var failure: String?
    /// Existing ids that the scenario may have meant by a selector that matched nothing.
    package var candidates: [String]?
    package init(
      line: Int, text: String, start: Double, end: Double, failure: String? = nil, candidates: [String]? = nil
    ) {
      (self.line, self.text, self.start, self.end) = (line, text, start, end)
      (self.failure, self.candidates) = (failure, candidates)
    }
  }
  /// Frames taken at regular intervals.
  package struct Filmstrip: Hashable, Sendable, Codable {
    /// Paths of an image with all frames and of an animated PNG, relative to the result folder.
    package var sheet: String
    package var animation: String
    /// Seconds between two frames.
    package var interval: Double
    package var frames: Int
    package init(sheet: String, animation: String, interval: Double, frames: Int) {
      self.sheet = sheet
      self.animation = animation
      self.interval = interval
      self.frames = frames
    }
  }

  /// Version of this document's format.
  package var schema = Galley.schema
  package var creative: Creative
  package var device: DeviceSummary
  package var placement: PlacementSummary?
  /// Assumptions about device, orientation, placement and size that weren't given, with reasons; nil for none.
  package var assumptions: [Assumption]?
  /// Name of the container; nil for the standard one.
  package var container: String?
  /// The user's choice about tracking as signalled to the ad; nil if nothing was signalled.
  package var consent: Consent?
  /// True if the app measured by Open Measurement; else nil.
  package var omid: Bool?
  /// The app's language; nil if no worker got the creative.
  package var locale: LanguageTag?
  /// The creative's time zone; nil if no worker got the creative.
  package var timeZone: TimeZoneName?
  /// Colour scheme preferred by the user; nil for the light one.
  package var colorScheme: ColorScheme?
  /// True if the user prefers reduced motion; else nil.
  package var reducedMotion: Bool?
  package var engine: Engine?
  package var outcome: Outcome
  /// Reason for not completing, in one line; nil if the render completed.
  package var message: String?
  /// Party that has to act if the render didn't complete; else nil.
  package var origin: Fault.Origin?
  package var code: String?
  package var states: [MRAIDState]
  package var transitions: [Transition]
  /// Results of the scenario's steps as far as they were reached; nil without a scenario.
  package var steps: [Step]?
  package var screenshots: [Screenshot]
  package var filmstrip: Filmstrip?
  /// Causes of possible differences from run to run; nil for none, and with the machine's clock.
  package var nondeterminism: [Nondeterminism]?
  /// Messages for the caller even if the render completed.
  package var warnings: [String]
  package var eventCount: Int
  /// Number of starts: more than 1 if a worker or web process died during the render.
  package var attempts: Int
  /// Start of the load by the machine's clock, in ISO 8601 with milliseconds; nil if nothing was loaded.
  package var began: String?
  /// Duration of each phase in milliseconds: open, load, settle, total, …
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
  /// The screenshot with the largest share of content, the first of equals.
  ///
  /// The first or last one may be black: an ad may fade in from a black frame, or out to one.
  package var fullest: RenderRecord.Screenshot? {
    reduce(nil) { best, next in
      guard let best else { return next }
      return next.contentShare ?? 0 > best.contentShare ?? 0 ? next : best
    }
  }
}

extension RenderRecord {
  /// The screenshot for places with room for only one: the fullest of those in the creative's initial state.
  package var thumbnail: Screenshot? { screenshots.filter { $0.state == screenshots.first?.state }.fullest }

  /// Reason why the render didn't complete; nil if it did.
  package var fault: Fault? {
    guard outcome != .completed else { return nil }
    return Fault(origin ?? .engine, code ?? "render-failed", message ?? "the render failed")
  }

  /// Stores the reason why the render didn't complete, and the outcome that follows from it.
  package mutating func fail(_ fault: Fault) {
    (outcome, message, origin, code) = (Outcome(fault), fault.message, fault.origin, fault.code)
  }
}

extension RenderRecord.DeviceSummary {
  /// Summarizes a device: the sizes are those of the upright device, regardless of its orientation in the render.
  package init(_ device: Device) {
    self.init(
      name: device.name, width: device.screen.width, height: device.screen.height, scale: device.scale,
      renderScale: device.renderScale, system: DeviceSystem(device))
  }
}

/// Warnings in results that are caused by the machine, and so are the same for every creative.
package enum MachineWarning {
  package static let sandboxOff = "WebKit's sandbox is off: bubblewrap doesn't work on this machine"
  package static let filesVisible =
    "the worker can read all files of this user: namespaces don't work on this machine"
  package static let clockMissing = "the virtual clock isn't available: the creative used the machine's time"

  package static let all: Set<String> = [sandboxOff, filesVisible, clockMissing]
}

/// Influence of the machine on a render with the virtual clock; it can make screenshots differ from run to run.
package enum Nondeterminism: String, Hashable, Sendable, Codable, CaseIterable {
  /// The engine's compositor drew the pages.
  case compositor
  /// A video took longer than five seconds to show the expected frame.
  case videos
  /// Time advanced without the answer to a page's request: a stream, a poll, or an answer that was late.
  case network
  /// Work of the engine beside a page took over five seconds, or a thread waited for unknown reasons for a second.
  ///
  /// Such work is, for instance, decoding or compiling.
  case work
  /// A shared worker ran in a process of its own, as the engine does for pages without a web address.
  case sharedWorkers
  /// An animated image wasn't detected on arrival, or has more frames than are passed at once.
  ///
  /// The engine then rushes through the image's first loop when it is shown.
  case images
  /// Workers with the same file began at once: the engine loads it for all of them, and notifies them in any order.
  case workersOfOneFile
}

extension RenderRecord {
  /// Indicates if the render failed with this code.
  package func has(_ code: FaultCode) -> Bool { self.code == code.rawValue }
}
