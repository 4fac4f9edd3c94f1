import Foundation
import Jobs
import Pixels

/// A folder of results made for one test, gone with it.
final class Folder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "diff-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and the folders on the way to it.
  func write(_ name: String, _ bytes: [UInt8]) throws {
    let file = URL(filePath: path).appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  /// Writes a white picture with a black square of `side` pixels in its corner.
  func picture(_ name: String, side: Int = 0, width: Int = 40, height: Int = 30) throws {
    var bitmap = Bitmap(width: width, height: height, fill: .white)
    bitmap.fill(PixelRect(x: 0, y: 0, width: side, height: side), .black)
    try write(name, PNGEncoder.encode(bitmap))
  }

  /// Writes an event log of host events with these names.
  func log(_ name: String, _ events: [String]) throws {
    let lines = try events.enumerated().map { index, event in
      try JSONEncoder().encode(Event(seq: index, t: Double.random(in: 0...9), source: .host, name: event))
    }
    try write(name, lines.flatMap { Array($0) + [10] })
  }
}
