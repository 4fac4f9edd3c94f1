internal import ArgumentParser
internal import Jobs

/// Which instants of an ad's life are pictured.
struct CaptureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Take pictures so many seconds after the ad was shown, in the place of one at rest: 0,1,2,5,15,30.",
      valueName: "seconds,…"),
    transform: CaptureOptions.instants)
  var at: [Double] = []

  @Option(
    help: ArgumentHelp("Take the ad every so many seconds, for a contact sheet and an animation.", valueName: "seconds")
  )
  var filmstrip: Double?

  @Option(help: ArgumentHelp("How long the filmstrip lasts (default: 15).", valueName: "seconds"))
  var filmstripLength: Double?

  func validate() throws {
    guard at.count <= Captures.mostInstants else {
      throw ValidationError("--at takes \(Captures.mostInstants) instants at most")
    }
    if filmstripLength != nil, filmstrip == nil { throw ValidationError("--filmstrip-length goes with --filmstrip") }
    guard let filmstrip else { return }
    guard (0.05...60).contains(filmstrip) else { throw ValidationError("--filmstrip must be from 0.05 to 60 seconds") }
    guard (filmstrip...300).contains(length) else {
      throw ValidationError("--filmstrip-length must be from the interval to 300 seconds")
    }
    guard length / filmstrip <= Double(Captures.Filmstrip.mostFrames - 1) else {
      throw ValidationError("a filmstrip has \(Captures.Filmstrip.mostFrames) frames at most: choose a longer interval")
    }
  }

  var captures: Captures {
    Captures(instants: at, filmstrip: filmstrip.map { Captures.Filmstrip(interval: $0, length: length) })
  }

  private var length: Double { filmstripLength ?? 15 }

  private static func instants(_ text: String) throws -> [Double] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0.trimmingSpace) }
    guard numbers.count == parts.count, numbers.allSatisfy((0...300).contains) else {
      throw ValidationError("'\(text)' are no instants: write seconds from 0 to 300 like 0,1,2.5")
    }
    return numbers
  }
}

extension Substring {
  /// Without spaces at either end.
  fileprivate var trimmingSpace: Substring {
    let body = drop { $0 == " " }
    return body.prefix(body.lastIndex { $0 != " " }.map { body.distance(from: body.startIndex, to: $0) + 1 } ?? 0)
  }
}
