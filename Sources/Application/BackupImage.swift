package import Core
internal import FoundationEssentials
package import Pixels
package import RenderModel
internal import Workers

/// Images of a result in other formats, beside those that it has.
package enum BackupImage {
  /// Writes an image of the ad alone in its final state into the result's folder.
  /// - Throws: `screenshot-missing`, `still-scale-invalid`, `still-too-large`.
  package static func write(
    _ request: BackupRequest, of record: RenderRecord, in folder: ResultFolder
  ) async throws(Fault) -> WrittenStill {
    guard let picture = record.endPicture, folder.holds(picture.pathOfAd) else {
      throw .creative("screenshot-missing", "the render has no screenshot of the ad")
    }
    let given = record.device.renderScale
    guard request.scale <= given else {
      throw .request(
        "still-scale-invalid",
        "\(record.device.name) has one pixel per dip, so scale \(request.scale) isn't available")
    }
    return try await FilmProgram.still(
      folder.file(picture.pathOfAd), as: request.format, to: folder.file(request.fileName), maxBytes: request.maxBytes,
      scale: (given, request.scale))
  }

  /// Writes every screenshot in another format beside it, and returns the number of screenshots.
  package static func copy(_ folder: ResultFolder, as format: StillFormat) async throws(Fault) -> Int {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.screenshots)) ?? []).sorted()
    var count = 0
    for name in names where name.hasSuffix(".png") {
      let path = "\(folder.screenshots)/\(name)"
      _ = try await FilmProgram.still(path, as: format, to: "\(path.dropLast(3))\(format.ending)")
      count += 1
    }
    return count
  }
}
