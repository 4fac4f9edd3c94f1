internal import Core
internal import Exploration
internal import Jobs
internal import MRAID

extension RenderRequest {
  /// Reads the options of a request; the creative's own members are the intake's.
  init(_ reader: inout FieldReader, name: String, url: String?, bounds: ServiceSettings.Bounds) {
    (self.name, self.url) = (name, url)
    device = Self.device(&reader)
    screen = reader.text("screen")
    orientation = reader.text("orientation")
    placement = Self.placement(&reader)
    size = reader.text("size")
    position = reader.word("position", of: Placement.Position.self)
    container = Self.container(&reader)
    scenario = Self.scenario(&reader)
    explore = Self.exploring(&reader)
    profiles = reader.texts("profiles", most: 50) ?? []
    checks = reader.flag("checks") ?? !profiles.isEmpty
    callback = reader.text("callback", longest: 2000)
    timeout = reader.number("timeout", in: 0.1...bounds.timeout) ?? min(Limits().timeout, bounds.timeout)
    patience = reader.number("patience", in: 1...bounds.patience) ?? bounds.patience
    memory = reader.whole("memory", in: 256...bounds.memory) ?? min(Limits().memory, bounds.memory)
    watch = reader.number("watch", in: 0...timeout)
    seed = reader.whole("seed", in: 0...Int(UInt32.max)).map(UInt32.init)
    clock = reader.word("clock", of: RenderOptions.Clock.self)
    date = Self.date(&reader)
    at = reader.numbers("at", most: Captures.mostInstants, in: 0...300) ?? []
    network = reader.flag("network") ?? true
    filmstrip = Self.filmstrip(&reader)
    measure = reader.flag("measure")
    followClickthroughs = reader.flag("followClickthroughs")
    sendBeacons = reader.flag("sendBeacons")
    compositing = reader.word("compositing", of: RenderOptions.Compositing.self)
    checkAgreement(&reader)
  }

  /// A scenario's text, or the same as JSON, which is YAML as well.
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

  private static func exploring(_ reader: inout FieldReader) -> Exploring? {
    guard let value = reader.value("explore") else { return nil }
    let standard = Exploring(actions: Budget().actions, seconds: Budget().seconds)
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

  /// A feed has files of its own beside its creatives, which no request carries.
  private static func placement(_ reader: inout FieldReader) -> Placement.Kind? {
    guard let kind = reader.word("placement", of: Placement.Kind.self) else { return nil }
    return kind == .feed ? reader.fail("placement", "feed is for the command line only") : kind
  }

  private static func date(_ reader: inout FieldReader) -> Double? {
    guard let text = reader.text("date") else { return nil }
    guard let instant = Instant.parse(text) else {
      return reader.fail("date", "must be an instant like 2026-12-24T18:00:00Z")
    }
    return Double(instant) / 1000
  }

  /// What no single member is to blame for.
  private func checkAgreement(_ reader: inout FieldReader) {
    func fail(_ name: String, _ detail: String) { reader.note(name, detail) }
    if device != nil, screen != nil { fail("screen", "excludes device") }
    if explore != nil, scenario != nil { fail("scenario", "excludes explore, which finds its own way") }
    if explore != nil, !at.isEmpty { fail("at", "takes an ad that is left alone: not with explore") }
    if explore != nil, filmstrip != nil { fail("filmstrip", "takes an ad that is left alone: not with explore") }
    let strip = filmstrip?.instants.last ?? 0
    if clock == .real, strip >= timeout { fail("filmstrip", "comes to \(strip.plain) s only with a longer timeout") }
    if clock == .real, date != nil { fail("date", "goes with the virtual clock") }
    if clock == .real, let last = at.max(), last >= timeout {
      fail("at", "comes to \(last.plain) s only with a longer timeout")
    }
    if let watch, watch >= timeout { fail("watch", "must be shorter than timeout, or no render could end in time") }
  }
}
