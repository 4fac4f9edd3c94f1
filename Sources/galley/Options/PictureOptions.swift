internal import Application
internal import ArgumentParser
internal import Core
internal import Pixels
internal import RenderModel
internal import Terminal
internal import Workers

/// Options for the images that a render writes in addition to its PNGs.
struct PictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write an image of the ad alone in its final state: backup.jpg, .png or .webp in each result's folder.",
      valueName: "format"))
  var backup: StillFormat?

  @Option(
    help: ArgumentHelp(
      "Maximum size of a backup, with the best quality that fits: 40k.", valueName: "bytes"),
    transform: PictureOptions.bytes)
  var maxBytes: Int?

  @Option(help: ArgumentHelp("Pixels per dip of a backup: 1 or 2 (default: 1).", valueName: "number"))
  var backupScale: Int?

  @Option(help: ArgumentHelp("Write each screenshot as jpeg or webp too, beside its PNG.", valueName: "format"))
  var copies: StillFormat?

  func validate() throws {
    if backup == nil, maxBytes != nil { throw ValidationError("--max-bytes requires --backup") }
    if backup == nil, backupScale != nil { throw ValidationError("--backup-scale requires --backup") }
    if let backupScale, !BackupRequest.scales.contains(backupScale) {
      throw ValidationError("--backup-scale must be 1 or 2")
    }
    if copies == .png { throw ValidationError("screenshots are PNGs already: use --copies jpeg or --copies webp") }
  }

  /// Indicates if no image was requested.
  var isEmpty: Bool { backup == nil && copies == nil }

  /// Rejects the options if a required program is missing, before anything is rendered.
  func prepare() throws(Fault) {
    if !isEmpty { try FilmProgram.require() }
  }

  private var request: BackupRequest? {
    backup.map { BackupRequest(format: $0, maxBytes: maxBytes, scale: backupScale ?? 1) }
  }

  /// Writes the images of each completed render; returns the exit status, nil if all succeeded or none was requested.
  ///
  /// A failure with one creative doesn't affect the others.
  func write(_ plan: BatchPlan, console: Console?, errors: Console) async throws(Fault) -> ExitStatus? {
    guard !isEmpty else { return nil }
    var failed: [ExitStatus] = []
    for item in plan.items {
      guard case .render(let job) = item.work else { continue }
      let folder = ResultFolder(job.output)
      guard let record = try? folder.record(), record.outcome == .completed else { continue }
      do throws(Fault) {
        if let request {
          let written = try await BackupImage.write(request, of: record, in: folder)
          try console?.printMessage("\(item.name): \(request.fileName), \(Self.told(written))\n")
        }
        if let copies {
          let count = try await BackupImage.copy(folder, as: copies)
          try console?.printMessage("\(item.name): \(count) screenshots as \(copies.rawValue) too\n")
        }
      } catch let error where error.origin != .engine {
        errors.printMessage(Fault(error.origin, error.code, "\(item.name): \(error.message)"))
        failed.append(ExitStatus(error.origin))
      }
    }
    return failed.isEmpty ? nil : ExitStatus(worstOf: failed)
  }

  /// Returns the facts on a written image, such as `300x250, 38121 bytes, quality 87`.
  private static func told(_ written: WrittenStill) -> String {
    "\(written.width)x\(written.height), \(written.bytes) bytes"
      + (written.quality.map { ", quality \($0)" } ?? "")
  }

  /// Parses a number of bytes, such as `40k`, `40000` or `0.2M`.
  private static func bytes(_ text: String) throws -> Int {
    let units: [Character: Double] = ["k": 1_000, "K": 1_000, "m": 1_000_000, "M": 1_000_000]
    let unit = text.last.flatMap { units[$0] }
    let number = Double(unit == nil ? text : String(text.dropLast()))
    guard let number, case let bytes = number * (unit ?? 1), bytes >= Double(BackupRequest.sizes.lowerBound),
      bytes <= Double(BackupRequest.sizes.upperBound)
    else { throw ValidationError("'\(text)' isn't a number of bytes from 1k to 10M: write it like 40k or 40000") }
    return Bounded.int(bytes, in: BackupRequest.sizes)
  }
}

extension StillFormat: ExpressibleByArgument {}
