internal import Application
internal import Core
internal import Device
internal import Exploration
internal import FoundationEssentials
internal import MRAID
internal import Pixels
internal import RenderModel
internal import Scheduling

extension RenderRequest {
  /// Reads the options of a request; the creative's own members are read by `Submission`.
  ///
  /// - Parameter isAnswered: true if the request carries a recording.
  init(
    _ reader: inout FieldReader, name: String, url: String?, isAnswered: Bool, bounds: ServiceSettings.Bounds
  ) {
    self.init(name: name, url: url, queueTimeout: bounds.queueTimeout)
    entry = reader.text("entry", longest: 500)
    device = Self.device(&reader)
    screen = reader.text("screen")
    orientation = reader.text("orientation")
    placement = Self.placement(&reader)
    size = reader.text("size")
    position = reader.word("position", of: Placement.Position.self)
    container = Self.container(&reader)
    scenario = Self.scenario(&reader)
    playables = reader.flag("playables").flatMap { $0 ? true : nil }
    explore = Self.exploring(&reader)
    if playables == true, explore == nil { explore = Self.standardExploring }
    profiles = reader.texts("profiles", most: 50) ?? []
    checks = reader.flag("checks") ?? (playables == true || !profiles.isEmpty)
    callback = reader.text("callback", longest: 2000)
    timeout = reader.number("timeout", in: 0.1...bounds.timeout) ?? min(Limits().timeout, bounds.timeout)
    queueTimeout = reader.number("queueTimeout", in: 1...bounds.queueTimeout) ?? bounds.queueTimeout
    memory = reader.whole("memory", in: 256...bounds.memory) ?? min(Limits().memory, bounds.memory)
    idleTime = reader.number("idleTime", in: 0...bounds.timeout)
    measureTime = reader.number("measureTime", in: 0...bounds.timeout)
    seed = reader.whole("seed", in: 0...Int(UInt32.max)).map(UInt32.init)
    clock = reader.word("clock", of: RenderOptions.Clock.self)
    date = Self.date(&reader)
    at = reader.numbers("at", most: CaptureSchedule.mostTimestamps, in: 0...300) ?? []
    network = reader.flag("network") ?? true
    filmstrip = Self.filmstrip(&reader)
    measure = reader.flag("measure")
    followClickthroughs = reader.flag("followClickthroughs")
    sendBeacons = reader.flag("sendBeacons")
    compositing = reader.word("compositing", of: RenderOptions.Compositing.self)
    labels = RenderLabels.read("labels", &reader)
    film = Self.film(&reader)
    backup = Self.backup(&reader)
    consent = reader.word("consent", of: Consent.self)
    omid = reader.flag("omid")
    locale = Self.locale(&reader)
    timeZone = Self.timeZone(&reader)
    colorScheme = reader.word("colorScheme", of: ColorScheme.self)
    reducedMotion = reader.flag("reducedMotion")
    readTraffic(&reader, isAnswered: isAnswered)
    checkAgreement(&reader)
  }

  /// A scenario as text, or as JSON, which is valid YAML as well.
  private static func scenario(_ reader: inout FieldReader) -> String? {
    guard let value = reader.value("scenario") else { return nil }
    let text: String
    switch value {
    case .string(let written): text = written
    case .object: text = value.text
    default: return reader.fail("scenario", "must be a scenario as text or as an object")
    }
    do throws(Fault) {
      _ = try ScenarioParser.parse(text, source: "scenario")
    } catch {
      reader.fail("scenario", error)
    }
    return text
  }

  private static let standardExploring = Exploring(actions: Budget().actions, seconds: Budget().seconds)

  private static func exploring(_ reader: inout FieldReader) -> Exploring? {
    guard let value = reader.value("explore") else { return nil }
    let standard = standardExploring
    switch value {
    case .bool(let wanted): return wanted ? standard : nil
    case .string("true"), .string("on"): return standard
    case .string("false"): return nil
    case .object:
      return reader.inner("explore") { inner in
        let actions = inner.whole("actions", in: 1...5000) ?? standard.actions
        return Exploring(actions: actions, seconds: inner.number("seconds", in: 1...3600) ?? standard.seconds)
      }
    default: return reader.fail("explore", "must be true, false or an object with actions and seconds")
    }
  }

  /// The kind of placement. A feed is rejected, because it needs further files that a request doesn't carry.
  private static func placement(_ reader: inout FieldReader) -> Placement.Kind? {
    guard let kind = reader.word("placement", of: Placement.Kind.self) else { return nil }
    return kind == .feed ? reader.fail("placement", "feed is for the command line only") : kind
  }

  private static func locale(_ reader: inout FieldReader) -> LanguageTag? {
    guard let text = reader.text("locale") else { return nil }
    guard let tag = LanguageTag(text) else { return reader.fail("locale", "must be a language like pt-BR") }
    return tag
  }

  private static func timeZone(_ reader: inout FieldReader) -> TimeZoneName? {
    guard let text = reader.text("timeZone") else { return nil }
    guard let zone = TimeZoneName(text), zone.isInstalled else {
      return reader.fail("timeZone", "must be a time zone that this machine has, like Asia/Tokyo")
    }
    return zone
  }

  private static func date(_ reader: inout FieldReader) -> Double? {
    guard let text = reader.text("date") else { return nil }
    guard let timestamp = Instant.parse(text) else {
      return reader.fail("date", "must be an instant like 2026-12-24T18:00:00Z")
    }
    return Double(timestamp) / 1000
  }

  /// Records faults of members that contradict each other.
  private func checkAgreement(_ reader: inout FieldReader) {
    func fail(_ name: String, _ detail: String) { reader.noteProblem(name, detail) }
    if device != nil, screen != nil { fail("screen", "excludes device") }
    if playables == true {
      if container != nil { fail("container", "excludes playables, which chooses the containers") }
      if !checks { fail("checks", "must be true with playables") }
    }
    if explore != nil, scenario != nil { fail("scenario", "excludes explore") }
    if explore != nil, !at.isEmpty { fail("at", "excludes explore, which interacts with the ad") }
    if explore != nil, filmstrip != nil { fail("filmstrip", "excludes explore, which interacts with the ad") }
    let strip = filmstrip?.instants.last ?? 0
    if clock == .real, strip >= timeout { fail("filmstrip", "needs \(strip.plain) s: set a longer timeout") }
    if clock == .real, date != nil { fail("date", "requires the virtual clock") }
    if clock == .real, let last = at.max(), last >= timeout {
      fail("at", "needs \(last.plain) s: set a longer timeout")
    }
    if film != nil {
      if explore != nil { fail("film", "excludes explore") }
      if !at.isEmpty || filmstrip != nil { fail("film", "excludes at and filmstrip") }
      if backup != nil { fail("film", "excludes backup") }
      if clock == .real { fail("film", "requires the virtual clock") }
      if film?.states != true, scenario != nil { fail("film", "requires states to play the scenario") }
    }
    for (name, seconds) in [("idleTime", idleTime), ("measureTime", measureTime)]
    where clock == .real && (seconds ?? 0) >= timeout {
      fail(name, "must be shorter than timeout with the real clock")
    }
  }
}

extension RenderRequest {
  /// A device of the catalogue by its name, or a described one.
  static func device(_ reader: inout FieldReader) -> Described<Device>? {
    if reader.value("device")?.object != nil {
      return reader.inner("device") { DeviceReader.read(&$0) }.map { .value($0) }
    }
    return reader.text("device").map { .name($0) }
  }

  /// A container of the catalogue by its name, or one described in the catalogue's format.
  static func container(_ reader: inout FieldReader) -> Described<ContainerProfile>? {
    guard let value = reader.value("container"), value.object != nil else {
      return reader.text("container").map { .name($0) }
    }
    do throws(Fault) {
      return .value(try ContainerProfile.described(by: Data(value.text.utf8), called: "this"))
    } catch {
      reader.fail("container", error)
      return nil
    }
  }

  /// The formats of a video, or an object with more settings.
  static func film(_ reader: inout FieldReader) -> Film? {
    if reader.value("film")?.object == nil {
      guard let names = reader.texts("film", most: FilmFormat.allCases.count) else { return nil }
      return formats(names, &reader).map { Film(formats: $0) }
    }
    return reader.inner("film") { inner in
      let names = inner.texts("formats", most: FilmFormat.allCases.count) ?? [FilmFormat.mp4.rawValue]
      let rate = inner.whole("rate", in: 30...60)
      if let rate, FilmRequest.Rate(rawValue: rate) == nil { inner.noteProblem("rate", "must be 30 or 60") }
      let length = inner.number("length", in: FilmRequest.lengths)
      let (screen, states) = (inner.flag("screen"), inner.flag("states"))
      return formats(names, &inner).map {
        Film(formats: $0, rate: rate.flatMap(FilmRequest.Rate.init), length: length, screen: screen, states: states)
      }
    }
  }

  /// The format of a backup image, or an object with more settings.
  static func backup(_ reader: inout FieldReader) -> BackupRequest? {
    guard reader.value("backup")?.object == nil else {
      return reader.inner("backup") { inner in
        let (format, limit) = (inner.text("format"), inner.whole("maxBytes", in: BackupRequest.sizes))
        let scale = inner.whole("scale", in: BackupRequest.scales)
        return still(format ?? StillFormat.jpeg.rawValue, "format", &inner).map {
          BackupRequest(format: $0, maxBytes: limit, scale: scale ?? 1)
        }
      }
    }
    return reader.text("backup").flatMap { still($0, "backup", &reader) }.map { BackupRequest(format: $0) }
  }

  private static func still(_ name: String, _ member: String, _ reader: inout FieldReader) -> StillFormat? {
    guard let format = StillFormat(rawValue: name) else {
      return reader.fail(member, "must be one of \(StillFormat.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return format
  }

  private static func formats(_ names: [String], _ reader: inout FieldReader) -> [FilmFormat]? {
    let found = names.compactMap { FilmFormat(rawValue: $0) }
    guard !found.isEmpty, found.count == names.count, Set(found).count == found.count else {
      return reader.fail(
        "film", "must be a list of \(FilmFormat.allCases.map(\.rawValue).joined(separator: ", ")), without duplicates")
    }
    return found
  }

  /// Frames at even intervals: the seconds from one to the next, or an object with the length as well.
  static func filmstrip(_ reader: inout FieldReader) -> CaptureSchedule.Filmstrip? {
    typealias Strip = CaptureSchedule.Filmstrip
    let bounds = 0.05...60
    let isObject = reader.value("filmstrip")?.object != nil
    let strip =
      isObject
      ? reader.inner("filmstrip") { inner -> Strip? in
        let (interval, length) = (inner.number("interval", in: bounds), inner.number("length", in: 0.05...300))
        if interval == nil, inner.problems.isEmpty { inner.noteProblem("interval", "is missing") }
        return interval.map { Strip(interval: $0, length: length ?? max(15, $0)) }
      } : reader.number("filmstrip", in: bounds).map { Strip(interval: $0, length: max(15, $0)) }
    guard let strip else { return nil }
    guard strip.length >= strip.interval else {
      return reader.fail("filmstrip", "must be at least as long as its interval")
    }
    guard strip.length / strip.interval <= Double(Strip.mostFrames - 1) else {
      return reader.fail("filmstrip", "must have at most \(Strip.mostFrames) frames: set a longer interval")
    }
    return strip
  }
}

/// Reads a device that a request describes: a plain screen with optional further properties.
enum DeviceReader {
  static func read(_ reader: inout FieldReader) -> Device? {
    let screen = reader.inner("screen") { size(&$0) }
    let side = screen ?? size(&reader)
    let scale = reader.number("scale", in: 1...4) ?? 1
    guard let side else {
      if reader.problems.isEmpty { reader.noteProblem("width", "and height of the screen are required") }
      return nil
    }
    var device: Device
    do throws(Fault) {
      device = try Device.plain(screen: "\(side)@\(scale.plain)")
    } catch {
      return reader.fail("screen", error.message)
    }
    if let name = name(&reader) { device.name = name }
    device.safeArea = insets("safeArea", &reader) ?? device.safeArea
    device.safeAreaLandscape = insets("safeAreaLandscape", &reader) ?? device.safeAreaLandscape
    device.touch = reader.flag("touch") ?? device.touch
    device.userAgent = line("userAgent", longest: 500, &reader) ?? device.userAgent
    device.platform = line("platform", longest: 100, &reader) ?? device.platform
    device.capabilities = reader.inner("capabilities") { capabilities(&$0) } ?? device.capabilities
    return device
  }

  private static func size(_ reader: inout FieldReader) -> Size? {
    let (width, height) = (reader.whole("width", in: 50...4096), reader.whole("height", in: 50...4096))
    guard let width, let height else { return nil }
    return Size(width: Double(width), height: Double(height))
  }

  /// A name with the characters of the catalogue's names, since it becomes part of a baseline's name.
  private static func name(_ reader: inout FieldReader) -> String? {
    guard let name = reader.text("name", longest: 60) else { return nil }
    guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }), name.first != "."
    else {
      return reader.fail("name", "must contain only letters, digits, hyphens and periods")
    }
    return name
  }

  /// Text for an HTTP header, in which a line end would begin another header.
  private static func line(_ name: String, longest: Int, _ reader: inout FieldReader) -> String? {
    guard let text = reader.text(name, longest: longest) else { return nil }
    guard text.unicodeScalars.allSatisfy({ (32...126).contains($0.value) }) else {
      return reader.fail(name, "must contain only visible ASCII characters and spaces")
    }
    return text
  }

  private static func insets(_ name: String, _ reader: inout FieldReader) -> Insets? {
    reader.inner(name) { reader in
      let sides = ["top", "left", "bottom", "right"].map { reader.number($0, in: 0...1000) ?? 0 }
      return Insets(top: sides[0], left: sides[1], bottom: sides[2], right: sides[3])
    }
  }

  private static func capabilities(_ reader: inout FieldReader) -> Capabilities? {
    var capabilities = Capabilities.phone
    if let supports = reader.texts("supports", most: 20) { capabilities.supports = Set(supports) }
    if let confirms = reader.flag("confirms") { capabilities.confirms = confirms }
    guard let location = reader.value("location") else { return capabilities }
    guard location == .null || location.object != nil else {
      return reader.fail("location", "must be an object, or null for none")
    }
    // A bare nil would be JSON's.
    capabilities.location = location == .null ? .none : .some(location)
    return capabilities
  }
}
