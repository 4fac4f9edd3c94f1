internal import Core
internal import Files
internal import FoundationEssentials
internal import Glibc
internal import Machine

/// Trials that need no page: fonts, graphics, locale, disk space, memory and cache.
enum HostProbes {
  /// Returns the findings, one for each trial; `folder` is the folder that results would be written to.
  static func findings(folder: String) -> [MachineFinding] {
    [fonts, graphics, locale, disk(folder), memory, cache]
  }

  /// Character of each script in which ads are written.
  private static let scripts: [(name: String, character: UInt32)] = [
    ("Latin", 0x41), ("Greek", 0x3B1), ("Cyrillic", 0x42F), ("Arabic", 0x639), ("Hebrew", 0x5D0),
    ("Devanagari", 0x905), ("Thai", 0xE01), ("Chinese", 0x4E2D), ("Japanese", 0x3042), ("Korean", 0xD55C),
    ("emoji", 0x1F600),
  ]

  /// Scripts whose fonts come from one package.
  private static let eastern: Set<String> = ["Chinese", "Japanese", "Korean"]

  private static var fonts: MachineFinding {
    let drawable = UsableFonts.drawable(Set(scripts.map(\.character)))
    let missing = scripts.filter { !drawable.contains($0.character) }.map(\.name)
    let has = scripts.filter { drawable.contains($0.character) }.map(\.name).joined(separator: ", ")
    if missing.contains("Latin") {
      return .error(
        .fonts, "no font has Latin letters",
        remedy: "apt install fonts-liberation2 fonts-dejavu-core fonts-noto-color-emoji")
    }
    guard !missing.isEmpty else { return .ok(.fonts, "fonts have \(has)") }
    if missing.contains("emoji") {
      return .warning(
        .fonts, "no usable font has \(missing.joined(separator: ", "))",
        remedy: "apt install fonts-noto-color-emoji; the pinned fonts include it")
    }
    let packages = [
      missing.contains { eastern.contains($0) } ? "fonts-noto-cjk" : nil,
      missing.contains { !eastern.contains($0) } ? "fonts-noto-core" : nil,
    ].compactMap(\.self).joined(separator: " ")
    let remedy = "apt install \(packages)" + (PinnedFonts.areInForce ? "; the pinned fonts include them" : "")
    return .warning(.fonts, "fonts have \(has), but not \(missing.joined(separator: ", "))", remedy: remedy)
  }

  private static var graphics: MachineFinding {
    guard let name = GraphicsDriver.name() else {
      return .warning(
        .graphics, "no driver for WebGL and 3D without a graphics card",
        remedy: "apt install libegl1 libgles2 libgl1-mesa-dri")
    }
    return .ok(.graphics, name)
  }

  private static var locale: MachineFinding {
    let environment = ProcessInfo.processInfo.environment
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    let all = LC_CTYPE_MASK | LC_NUMERIC_MASK | LC_TIME_MASK | LC_COLLATE_MASK | LC_MESSAGES_MASK
    guard let locale = newlocale(all, "", nil) else {
      return .warning(
        .locale, "the locale \(name) isn't installed, so programs use the locale C",
        remedy: "export LANG=C.UTF-8, or apt install locales and dpkg-reconfigure locales")
    }
    freelocale(locale)
    return .ok(.locale, name)
  }

  /// Free bytes below which a disk is nearly full; `tooLittle` is the limit below which nothing can be rendered.
  private static let (scarce, tooLittle) = (1_000_000_000, 50_000_000)

  private static func disk(_ folder: String) -> MachineFinding {
    guard let own = EngineFolder.make() else {
      return .error(
        .disk, "can't create a folder in \(EngineFolder.place)",
        remedy: "set TMPDIR to a folder that this user may write to")
    }
    defer {
      close(own.lock)
      EngineFolder.remove(own.path)
    }
    let places = [(EngineFolder.place, "set TMPDIR to another folder"), (folder, "use another --out")]
    let free = places.compactMap { place, remedy in
      MachineFacts.freeSpace(in: place).map { (place: place, bytes: $0, remedy: remedy) }
    }
    guard let least = free.min(by: { $0.bytes < $1.bytes }) else { return .ok(.disk, "unknown size") }
    let message = "\(MachineFacts.megabytes(least.bytes)) free in \(least.place)"
    let remedy = "free disk space there, or \(least.remedy)"
    if least.bytes < tooLittle { return .error(.disk, message, remedy: remedy) }
    return least.bytes < scarce ? .warning(.disk, message, remedy: remedy) : .ok(.disk, message)
  }

  /// Memory in bytes that a worker with a creative needs, estimated generously.
  private static let oneWorker = 700_000_000

  private static var memory: MachineFinding {
    guard let free = MachineFacts.freeMemory else { return .ok(.memory, "unknown size") }
    let message = "\(MachineFacts.megabytes(free)) available"
    guard free < oneWorker else { return .ok(.memory, message) }
    return .warning(.memory, message, remedy: "end other programs, or render with --jobs 1")
  }

  /// Finding on the cache: workers store lists of codecs in their own memory and don't use the user's cache.
  private static var cache: MachineFinding { .ok(.cache, "each worker has its own cache") }
}
