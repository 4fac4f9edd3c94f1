internal import FoundationEssentials
internal import Jobs
internal import MRAID
internal import Planning
internal import Stage

extension RenderRequest {
  /// A device of the catalogue, or one that is described.
  static func device(_ reader: inout FieldReader) -> Described<Device>? {
    if reader.value("device")?.object != nil {
      return reader.inner("device") { DeviceReader.read(&$0) }.map { .value($0) }
    }
    return reader.text("device").map { .name($0) }
  }

  /// A container of the catalogue, or one in the form of those.
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

  /// Frames at even distances: seconds from one to the next, or an object that says for how long as well.
  static func filmstrip(_ reader: inout FieldReader) -> Captures.Filmstrip? {
    typealias Strip = Captures.Filmstrip
    let bounds = 0.05...60
    let isObject = reader.value("filmstrip")?.object != nil
    let strip =
      isObject
      ? reader.inner("filmstrip") { inner -> Strip? in
        let (interval, length) = (inner.number("interval", in: bounds), inner.number("length", in: 0.05...300))
        if interval == nil, inner.problems.isEmpty { inner.note("interval", "is missing") }
        return interval.map { Strip(interval: $0, length: length ?? max(15, $0)) }
      } : reader.number("filmstrip", in: bounds).map { Strip(interval: $0, length: max(15, $0)) }
    guard let strip else { return nil }
    guard strip.length >= strip.interval else { return reader.fail("filmstrip", "must be longer than its interval") }
    guard strip.length / strip.interval <= Double(Strip.mostFrames - 1) else {
      return reader.fail("filmstrip", "has \(Strip.mostFrames) frames at most: choose a longer interval")
    }
    return strip
  }
}
