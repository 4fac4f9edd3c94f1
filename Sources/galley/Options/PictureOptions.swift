internal import Application
internal import ArgumentParser
internal import Core
internal import Pixels
internal import RenderModel
internal import Terminal

/// Which pictures a render leaves besides its PNGs.
struct PictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Leave the ad alone, as it is at its end, as backup.jpg, .png or .webp in each result's folder.",
      valueName: "format"))
  var backup: StillFormat?

  @Option(
    help: ArgumentHelp(
      "The most bytes of a backup, which gets the best quality that fits: 40k.", valueName: "bytes"),
    transform: PictureOptions.bytes)
  var maxBytes: Int?

  @Option(help: ArgumentHelp("Pixels of a dip that a backup has: 1 or 2 (default: 1).", valueName: "number"))
  var backupScale: Int?

  @Option(help: ArgumentHelp("Leave each screenshot as jpeg or webp too, beside its PNG.", valueName: "format"))
  var copies: StillFormat?

  func validate() throws {
    if backup == nil, maxBytes != nil { throw ValidationError("--max-bytes goes with --backup") }
    if backup == nil, backupScale != nil { throw ValidationError("--backup-scale goes with --backup") }
    if let backupScale, !BackupRequest.scales.contains(backupScale) {
      throw ValidationError("--backup-scale must be 1 or 2")
    }
    if copies == .png { throw ValidationError("screenshots are PNGs already: --copies takes jpeg or webp") }
  }

  /// Whether any is asked for.
  var isEmpty: Bool { backup == nil && copies == nil }

  private var request: BackupRequest? {
    backup.map { BackupRequest(format: $0, maxBytes: maxBytes, scale: backupScale ?? 1) }
  }

  /// Writes them for each render that completed; one that can't be had costs no other. Returns the exit status.
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
      } catch  where error.origin != .engine {
        errors.printMessage(Fault(error.origin, error.code, "\(item.name): \(error.message)"))
        failed.append(ExitStatus(error.origin))
      }
    }
    return failed.isEmpty ? nil : ExitStatus(worstOf: failed)
  }

  /// `300x250, 38121 bytes, quality 87`
  private static func told(_ written: WrittenStill) -> String {
    "\(written.width)x\(written.height), \(written.bytes) bytes"
      + (written.quality.map { ", quality \($0)" } ?? "")
  }

  /// `40k`, `40000`, `0.2M`.
  private static func bytes(_ text: String) throws -> Int {
    let units: [Character: Double] = ["k": 1_000, "K": 1_000, "m": 1_000_000, "M": 1_000_000]
    let unit = text.last.flatMap { units[$0] }
    let number = Double(unit == nil ? text : String(text.dropLast()))
    guard let number, case let bytes = number * (unit ?? 1), bytes >= Double(BackupRequest.sizes.lowerBound),
      bytes <= Double(BackupRequest.sizes.upperBound)
    else { throw ValidationError("'\(text)' is no number of bytes from 1k to 10M: write it like 40k or 40000") }
    return Bounded.int(bytes, in: BackupRequest.sizes)
  }
}

extension StillFormat: ExpressibleByArgument {}
