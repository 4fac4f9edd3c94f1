internal import Application
internal import ArgumentParser
internal import Comparison
internal import Core
internal import Pixels

/// What counts as a difference between two pictures, and how much of it is allowed.
struct ComparisonArguments: ParsableArguments {
  @Option(help: "How colours are told apart: yiq is pixelmatch's way, oklab goes by what people see.")
  var metric = ColorMetric.yiq

  @Option(
    help: ArgumentHelp("How far colours may be apart, 1 being black and white.", valueName: "0-1"))
  var threshold = 0.1

  @Flag(help: "Count pixels that look like anti-aliasing too.") var antialiasing = false

  @Option(
    name: .customLong("ignore"),
    help: ArgumentHelp("A region in which nothing counts, in pixels; may be given often.", valueName: "x,y,w,h"),
    transform: ComparisonArguments.region)
  private var ignored: [PixelRect] = []

  @Option(help: ArgumentHelp("Pixels a region may have moved without counting, at most 16.", valueName: "pixels"))
  var shift = 0

  @Option(help: ArgumentHelp("Differing pixels allowed.", valueName: "number")) var maxPixels: Int?
  @Option(help: ArgumentHelp("Share of differing pixels allowed.", valueName: "0-1")) var maxRatio: Double?
  @Option(help: ArgumentHelp("Differing pixels allowed in any window.", valueName: "number")) var maxDensity: Int?
  @Option(help: ArgumentHelp("Side of that window (default: 32).", valueName: "pixels")) var window: Int?

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
    else { throw ValidationError("'\(text)' is no region: write it like 10,20,300,50") }
    return PixelRect(x: x, y: y, width: width, height: height)
  }
}

extension ColorMetric: ExpressibleByArgument {}

/// Where baselines are.
struct BaselineOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder of baselines (default: galley-baselines beside each creative).", valueName: "folder"))
  var baselines: String?
}

/// Which creatives are rendered to be compared with their baselines, and how often; one group, since two commands do it alike.
struct BaselineSubjectOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("HTML files, folders, zips or http(s) URLs.", valueName: "creative"))
  var creatives: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for results.", valueName: "folder"))
  var out = "galley-verified"

  @Option(help: ArgumentHelp("The scenario every creative is put through.", valueName: "file"))
  var scenario: String?

  @Option(help: ArgumentHelp("A name for one of several baselines of a creative.", valueName: "name"))
  var variant: String?

  @Option(help: ArgumentHelp("Renders of a creative until two agree, at most.", valueName: "number"))
  var renders = 4

  @Flag(name: .shortAndLong, help: "Search folders for creatives.") var recursive = false

  func validate() throws {
    guard (2...20).contains(renders) else { throw ValidationError("--renders must be from 2 to 20") }
  }
}
