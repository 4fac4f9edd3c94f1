package import Core
package import Creatives
internal import Device
internal import MRAID
package import RenderModel

/// Creatives that a call would render, found without rendering or writing anything.
package struct CreativeListing: Hashable, Sendable, Encodable {
  /// Creative, or an argument that is none.
  package struct Entry: Hashable, Sendable, Encodable {
    /// Name of the result folder, or the argument if it is no creative.
    package let name: String
    /// Path as the caller wrote it, or the path below an argument.
    package let path: String
    /// Kind of creative: html, folder, zip, fragment, vast, vmap, bid or url.
    package var kind: String?
    package var placement: Placement.Kind?
    /// Width of a banner's slot in dip.
    package var width: Double?
    package var height: Double?
    /// Source of the size, if the call gives none.
    package var assumedFrom: SizeSource?
    /// Device that was chosen by the creative's size; nil if the devices of the call apply.
    package var device: String?
    /// Assumptions on device, orientation and placement that the call leaves open.
    package var assumptions: [Assumption]?
    /// Indicates if the creative has its own scenario.
    package var hasScenario = false
    /// Reason why the creative can't be rendered; `code` is its error code.
    package var message: String?
    package var code: String?
    /// Origin of that fault.
    package var origin: Fault.Origin?
  }

  /// Galley's version.
  package let galley: String
  package let creatives: [Entry]
  /// Names of the devices on which each creative would be rendered.
  package let devices: [String]
  /// Files in the call's folders that look like creatives but aren't rendered by themselves.
  package var leftOut: [String]?

  init(creatives: [Entry], devices: [String], leftOut: [String]) {
    (galley, self.creatives, self.devices) = (Galley.version, creatives, devices)
    self.leftOut = leftOut.isEmpty ? nil : leftOut
  }
}

extension BatchPlanner {
  /// Returns the listing of a plan with the same arguments; creatives are opened, and nothing is written.
  package func list(
    _ arguments: [String], recursive: Bool, devices: [String], spool: CreativeFinder.Spool
  ) -> CreativeListing {
    let search = CreativeFinder.search(arguments, recursive: recursive, spool: spool)
    let entries = search.found.compactMap { found -> CreativeListing.Entry? in
      switch found.result {
      case .success(let creative): isMine(creative.name) ? entry(creative) : nil
      case .failure(let fault): isMine(found.argument) ? Self.entry(found.argument, found.argument, fault) : nil
      }
    }
    return CreativeListing(creatives: entries, devices: devices, leftOut: search.leftOut)
  }

  private func entry(_ creative: CreativeReference) -> CreativeListing.Entry {
    do throws(Fault) {
      let bundle = try CreativeBundle.open(creative)
      let own = scenario == nil ? try OwnScenario.of(creative) : nil
      let job = template.job(0, creative, output: "", scenario: played(own))
      var entry = CreativeListing.Entry(name: creative.name, path: creative.argument)
      (entry.kind, entry.placement) = (bundle.kind.rawValue, job.placement.kind)
      entry.hasScenario = own != nil
      entry.device = job.assumptions?.contains { $0.what == .device } == true ? job.device.name : nil
      entry.assumptions = job.assumptions
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
