/// Names of what a baseline holds beside pictures; a picture's begins with its number.
package enum PartName {
  package static let events = "events"
  package static let states = "states"

  /// Whether it is a picture's.
  package static func isPicture(_ name: String) -> Bool { name != events && name != states }

  /// A picture's name of its file's.
  package static func picture(_ file: String) -> String { file.hasSuffix(".png") ? String(file.dropLast(4)) : file }
}
