package import Core
package import RenderModel

/// Size that a creative is made for, with the source of this information.
package struct SizeClue: Hashable, Sendable {
  package let size: Size
  /// Source of the size; nil if the creative states it explicitly, in `ad.size` or its bid.
  package let source: SizeSource?

  package init(size: Size, source: SizeSource?) { (self.size, self.source) = (size, source) }

  /// Returns the source of a banner's size if the call doesn't give one; nil if the creative states it.
  package static func assumption(_ clue: SizeClue?) -> SizeSource? {
    guard let clue else { return .fallback }
    return clue.source
  }
}

extension CreativeBundle {
  /// Returns the size that the creative states or suggests, by `ad.size`, its names or its styles; nil if there is
  /// none.
  package func sizeClue(_ reference: CreativeReference) -> SizeClue? {
    if let size = meta.size { return SizeClue(size: size, source: nil) }
    for name in SizeName.names(of: reference, inner: innerNames) {
      if let size = SizeName.size(in: name) { return SizeClue(size: size, source: .name) }
    }
    guard let entry, response == nil else { return nil }
    return StyledSize.clue(of: entry.bytes) { address in
      (try? resource(path: address))?.bytes
    }
  }
}

/// Sizes in names, such as `Acme_300x250.zip`.
package enum SizeName {
  /// Returns a creative's names, nearest first: its file or folder, the names inside it, and its parent folder.
  static func names(of reference: CreativeReference, inner: [String]) -> [String] {
    let path = address(reference.argument)
    let written = ResourcePath.split(path.utf8).filter { $0 != "." && $0 != ".." }
    let given = ResourcePath.split(reference.name.utf8)
    let folders = [written, given].map { Array($0.dropLast().suffix(1)) }
    return [written, given].flatMap { Array($0.suffix(1)) } + inner + folders.joined()
  }

  /// Returns the only size in a name; nil for none, and for several that differ.
  package static func size(in name: String) -> Size? {
    let letters = Array(name.lowercased())
    var found: Set<Size> = []
    for (index, letter) in letters.enumerated() where letter == "x" || letter == "×" {
      let before = letters[..<index].reversed().prefix { $0.isASCIIDigit }
      let after = letters[(index + 1)...].prefix { $0.isASCIIDigit }
      guard let width = side(String(before.reversed())), let height = side(String(after)) else { continue }
      found.insert(Size(width: width, height: height))
    }
    guard found.count == 1, let size = found.first else { return nil }
    return CreativeMeta(size: size).size
  }

  /// Returns a side that an ad may have, without leading zeros as in serial numbers; nil for other digits.
  private static func side(_ digits: String) -> Double? {
    guard (2...4).contains(digits.count), !digits.hasPrefix("0"), let side = Double(digits), side >= 20 else {
      return nil
    }
    return side
  }

  /// Returns the path of an address, whose host and query don't name a creative; other arguments unchanged.
  private static func address(_ argument: String) -> String {
    guard let range = argument.firstRange(of: "://") else { return argument == "-" ? "" : argument }
    let rest = argument[range.upperBound...].prefix { $0 != "?" && $0 != "#" }
    return String(rest.drop { $0 != "/" })
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { utf8.count == 1 && utf8.first.map { $0.isASCIIDigit } == true }
}
