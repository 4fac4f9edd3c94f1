import Core
import Jobs

/// What a file holds, as far as its name and first bytes tell.
enum FileForm: Equatable {
  case html
  case zip
  /// Markup or script without a document around it, as ad servers deliver it.
  case text

  /// Bytes looked at.
  private static let headLength = 4096

  /// Throws `empty`, or `not-a-creative` for a file that is neither markup nor a zip.
  static func of(_ file: borrowing OpenFile) throws(Fault) -> FileForm {
    let head = try file.head(headLength)
    guard !head.isEmpty else { throw .creative("empty", "\(file.name.printable) is empty") }
    let fileExtension = AbsolutePath.stem(file.path).fileExtension
    if fileExtension == "zip" || hasZipMagic(head) { return .zip }
    if fileExtension == "html" || fileExtension == "htm" { return .html }
    guard !head.contains(0) || ByteOrderMark.of(head) != nil else {
      throw .request("not-a-creative", "\(file.name.printable) is neither markup nor a zip nor a folder")
    }
    return .text
  }

  /// Whether an archive starts here: with a first entry, or as an empty archive.
  private static func hasZipMagic(_ head: [UInt8]) -> Bool {
    head.starts(with: [0x50, 0x4B, 3, 4]) || head.starts(with: [0x50, 0x4B, 5, 6])
  }
}
