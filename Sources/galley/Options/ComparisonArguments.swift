internal import Application
internal import ArgumentParser
internal import Comparison
internal import Core
internal import Pixels

/// Options for the comparison of pictures: the kind and the allowed amount of differences.
struct ComparisonArguments: ParsableArguments {
  @Option(help: "How colours are compared: yiq as in pixelmatch, oklab by perceived difference.")
  var metric = ColorMetric.yiq

  @Option(
    help: ArgumentHelp("Maximum difference of colours; 1 is black to white.", valueName: "0-1"))
  var threshold = 0.1

  @Flag(help: "Count anti-aliased pixels as well.") var antialiasing = false

  @Option(
    name: .customLong("ignore"),
    help: ArgumentHelp("A region to ignore, in pixels; repeatable.", valueName: "x,y,w,h"),
    transform: ComparisonArguments.region)
  private var ignored: [PixelRect] = []

  @Option(
    help: ArgumentHelp(
      "Distance in pixels, at most 16, by which a region may move without counting.", valueName: "pixels"))
  var shift = 0

  @Option(help: ArgumentHelp("Maximum number of differing pixels.", valueName: "number")) var maxPixels: Int?
  @Option(help: ArgumentHelp("Maximum share of differing pixels.", valueName: "0-1")) var maxRatio: Double?
  @Option(help: ArgumentHelp("Maximum number of differing pixels in any window.", valueName: "number")) var maxDensity:
    Int?
  @Option(help: ArgumentHelp("Side of that window in pixels (default: 32).", valueName: "pixels")) var window: Int?

  func validate() throws {
    guard (0...1).contains(threshold) else { throw ValidationError("--threshold must be from 0 to 1") }
    guard (0...16).contains(shift) else { throw ValidationError("--shift must be from 0 to 16 pixels") }
    guard (0...1).contains(maxRatio ?? 0) else { throw ValidationError("--max-ratio must be from 0 to 1") }
    guard (maxPixels ?? 0) >= 0, (maxDensity ?? 0) >= 0 else { throw ValidationError("a limit can't be negative") }
    guard (1...4096).contains(window ?? 1) else { throw ValidationError("--window must be from 1 to 4096 pixels") }
  }

  var comparer: ResultComparer { ResultComparer(options: options, budget: budget) }

  var options: ComparisonOptions {
    ComparisonOptions(
      metric: metric, threshold: threshold, countsAntialiasing: antialiasing, ignored: ignored, shift: shift,
      window: window ?? (maxDensity == nil ? nil : 32))
  }

  var budget: DifferenceBudget { DifferenceBudget(count: maxPixels, ratio: maxRatio, density: maxDensity) }

  private static func region(_ text: String) throws -> PixelRect {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 4, let x = parts[0], let y = parts[1], let width = parts[2], let height = parts[3],
      x >= 0, y >= 0, width > 0, height > 0
    else { throw ValidationError("'\(text)' isn't a region: write it like 10,20,300,50") }
    return PixelRect(x: x, y: y, width: width, height: height)
  }
}

extension ColorMetric: ExpressibleByArgument {}

/// Option for the folder of baselines.
struct BaselineOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder of baselines (default: galley-baselines beside each creative).", valueName: "folder"))
  var baselines: String?
}

/// Creatives that are rendered and compared with their baselines, and the number of renders.
///
/// They form one group because two commands share them.
struct BaselineSubjectOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("HTML files, folders, zips or http(s) URLs.", valueName: "creative"))
  var creatives: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for results.", valueName: "folder"))
  var out = "galley-verified"

  @Option(
    help: ArgumentHelp(
      "The scenario for every creative; none also ignores a creative's own scenario.", valueName: "file"))
  var scenario: String?

  @Option(help: ArgumentHelp("A name for one of several baselines of a creative.", valueName: "name"))
  var variant: String?

  @Option(help: ArgumentHelp("Maximum number of renders of a creative until two agree.", valueName: "number"))
  var renders = 4

  @Flag(name: .shortAndLong, help: "Search folders for creatives.") var recursive = false

  func validate() throws {
    guard (2...20).contains(renders) else { throw ValidationError("--renders must be from 2 to 20") }
  }
}
