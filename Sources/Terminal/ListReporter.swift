package import Application
package import Core
internal import RenderModel

/// Prints the creatives that a call would render.
package struct ListReporter {
  private let output: OutputOptions
  private let console: Console

  package init(output: OutputOptions, console: Console) { (self.output, self.console) = (output, console) }

  package func printMessage(_ listing: CreativeListing) throws(Fault) {
    if output.json { return try console.printMessage(document: listing) }
    let width = min(48, listing.creatives.map(\.name.printable.count).max() ?? 0)
    let lines = listing.creatives.filter { !output.quiet || $0.message != nil }.map { line($0, width) }.joined()
    try console.printMessage(lines + (output.quiet ? "" : "\n\(summary(listing))\n"))
  }

  private func line(_ entry: CreativeListing.Entry, _ width: Int) -> String {
    let name = entry.name.printable.padded(to: width)
    if let message = entry.message {
      return "\(name)  \("error: \(message)\(entry.code.map { " [\($0)]" } ?? "")".printable)\n"
    }
    let size = entry.width.flatMap { width in
      entry.height.map { height in
        " \(width.plain)x\(height.plain)\(entry.assumedFrom.map { ", \($0.reason)" } ?? "")"
      }
    }
    let kind = (entry.kind ?? "").padded(to: 8)
    let place = "\(entry.placement?.rawValue ?? "")\(size ?? "")"
    let assumed = (entry.assumptions ?? []).map { ", \($0.what.rawValue) \($0.value) as \($0.because)" }.joined()
    return "\(name)  \(kind)  \(place)\(assumed.printable)\(entry.hasScenario ? ", with its own scenario" : "")\n"
  }

  private func summary(_ listing: CreativeListing) -> String {
    let count = listing.creatives.count { $0.message == nil }
    let creatives = "\(count) \(count == 1 ? "creative" : "creatives")"
    let devices = listing.devices.joined(separator: ", ")
    let renders = listing.devices.count > 1 ? ": \(Bounded.product(count, listing.devices.count)) renders" : ""
    let left = listing.leftOut.map { "\nleft out, because they aren't creatives: \($0.listed)" } ?? ""
    return "\(creatives) on \(devices)\(renders)".printable + left
  }
}

extension CreativeListing {
  /// Exit code for the listing; it depends on the origin of each creative's fault.
  package var status: ExitStatus { ExitStatus(worstOf: creatives.compactMap(\.origin).map { ExitStatus($0) }) }
}
