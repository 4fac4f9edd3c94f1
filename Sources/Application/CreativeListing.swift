package import Core
package import Creatives
internal import Device
internal import MRAID
package import RenderModel

/// What a call would render, found without rendering or writing anything.
package struct CreativeListing: Hashable, Sendable, Encodable {
  /// One creative, or an argument that is none.
  package struct Entry: Hashable, Sendable, Encodable {
    /// The result folder's name; the argument where there is no creative.
    package let name: String
    /// As the caller wrote it, or the way to it from there.
    package let path: String
    /// html, folder, zip, fragment, vast, vmap, bid or url.
    package var kind: String?
    package var placement: Placement.Kind?
    /// A banner's slot in dip.
    package var width: Double?
    package var height: Double?
    /// What the size was taken from where nobody said it.
    package var assumedFrom: SizeSource?
    /// Whether it has a scenario of its own that would be played.
    package var hasScenario = false
    /// Why it can't be rendered, and the code of that.
    package var message: String?
    package var code: String?
    /// Who has to act then.
    package var origin: Fault.Origin?
  }

  /// Galley's version.
  package let galley: String
  package let creatives: [Entry]
  /// The devices that each would be rendered on.
  package let devices: [String]

  init(creatives: [Entry], devices: [String]) {
    (galley, self.creatives, self.devices) = (Galley.version, creatives, devices)
  }
}

extension BatchPlanner {
  /// What a plan of the same arguments would have, each creative opened and nothing written.
  package func list(
    _ arguments: [String], recursive: Bool, devices: [String], spool: CreativeFinder.Spool
  ) -> CreativeListing {
    let found = CreativeFinder.find(arguments, recursive: recursive, spool: spool)
    let entries = found.compactMap { found -> CreativeListing.Entry? in
      switch found.result {
      case .success(let creative): isMine(creative.name) ? entry(creative) : nil
      case .failure(let fault): isMine(found.argument) ? Self.entry(found.argument, found.argument, fault) : nil
      }
    }
    return CreativeListing(creatives: entries, devices: devices)
  }

  private func entry(_ creative: CreativeReference) -> CreativeListing.Entry {
    do throws(Fault) {
      let bundle = try CreativeBundle.open(creative)
      let own = scenario == nil ? try OwnScenario.of(creative) : nil
      let job = template.job(0, creative, output: "", scenario: scenario ?? own)
      var entry = CreativeListing.Entry(name: creative.name, path: creative.argument)
      (entry.kind, entry.placement) = (bundle.kind.rawValue, job.placement.kind)
      entry.hasScenario = own != nil
      guard job.placement.kind == .banner else { return entry }
      let clue = bundle.sizeClue(creative)
      let size = job.placement.size ?? clue?.size ?? Placement.fallbackSize
      (entry.width, entry.height) = (size.width, size.height)
      if job.placement.size == nil { entry.assumedFrom = SizeClue.assumption(clue) }
      return entry
    } catch {
      return Self.entry(creative.name, creative.argument, error)
    }
  }

  private static func entry(_ name: String, _ path: String, _ fault: Fault) -> CreativeListing.Entry {
    var entry = CreativeListing.Entry(name: name, path: path)
    (entry.message, entry.code, entry.origin) = (fault.message, fault.code, fault.origin)
    return entry
  }
}
