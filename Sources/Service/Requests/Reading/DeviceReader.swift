internal import Core
internal import Jobs
internal import MRAID
internal import Planning
internal import Stage

/// Reads a device that a request describes: a plain screen, and whatever it says besides.
enum DeviceReader {
  static func read(_ reader: inout FieldReader) -> Device? {
    let screen = reader.inner("screen") { size(&$0) }
    let side = screen ?? size(&reader)
    let scale = reader.number("scale", in: 1...4) ?? 1
    guard let side else {
      if reader.problems.isEmpty { reader.note("width", "and height of the screen are missing") }
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
    device.abilities = reader.inner("abilities") { abilities(&$0) } ?? device.abilities
    return device
  }

  private static func size(_ reader: inout FieldReader) -> Size? {
    let (width, height) = (reader.whole("width", in: 50...4096), reader.whole("height", in: 50...4096))
    guard let width, let height else { return nil }
    return Size(width: Double(width), height: Double(height))
  }

  /// As in the catalogue: it becomes part of a baseline's name.
  private static func name(_ reader: inout FieldReader) -> String? {
    guard let name = reader.text("name", longest: 60) else { return nil }
    guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }), name.first != "."
    else {
      return reader.fail("name", "must have letters, digits, hyphens and points only")
    }
    return name
  }

  /// Text that goes into a head of a request, where a line end would begin another.
  private static func line(_ name: String, longest: Int, _ reader: inout FieldReader) -> String? {
    guard let text = reader.text(name, longest: longest) else { return nil }
    guard text.unicodeScalars.allSatisfy({ (32...126).contains($0.value) }) else {
      return reader.fail(name, "must be of visible ASCII characters and spaces")
    }
    return text
  }

  private static func insets(_ name: String, _ reader: inout FieldReader) -> Insets? {
    reader.inner(name) { reader in
      let sides = ["top", "left", "bottom", "right"].map { reader.number($0, in: 0...1000) ?? 0 }
      return Insets(top: sides[0], left: sides[1], bottom: sides[2], right: sides[3])
    }
  }

  private static func abilities(_ reader: inout FieldReader) -> Abilities? {
    var abilities = Abilities.phone
    if let supports = reader.texts("supports", most: 20) { abilities.supports = Set(supports) }
    if let confirms = reader.flag("confirms") { abilities.confirms = confirms }
    guard let location = reader.value("location") else { return abilities }
    guard location == .null || location.object != nil else {
      return reader.fail("location", "must be an object, or null for none")
    }
    // A bare nil would be JSON's.
    abilities.location = location == .null ? .none : .some(location)
    return abilities
  }
}
