/// Which entry names could lead out of the folder an archive is unpacked to.
enum ZipEntryName {
  /// Whether `name` is absolute, on a drive, goes up, or holds a backslash or NUL.
  static func isUnsafe(_ name: some Collection<UInt8>) -> Bool {
    let bytes = Array(name)
    if bytes.contains(0) || bytes.contains(UInt8(ascii: "\\")) || bytes.first == UInt8(ascii: "/") { return true }
    if bytes.count > 1, bytes[1] == UInt8(ascii: ":"), Unicode.Scalar(bytes[0]).properties.isAlphabetic { return true }
    return bytes.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
  }
}
