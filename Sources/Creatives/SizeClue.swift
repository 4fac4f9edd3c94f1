package import Core
package import RenderModel

/// The size that a creative is made for, and what says so.
package struct SizeClue: Hashable, Sendable {
  package let size: Size
  /// Nil for what the creative says in so many words, in `ad.size` or its bid.
  package let source: SizeSource?

  package init(size: Size, source: SizeSource?) { (self.size, self.source) = (size, source) }

  /// What a banner's size is taken from where the call doesn't say it; nil where the creative says it.
  package static func assumption(_ clue: SizeClue?) -> SizeSource? {
    guard let clue else { return .fallback }
    return clue.source
  }
}

extension CreativeBundle {
  /// What the creative says or lets guess of its size: `ad.size`, its names, its styles; nil where nothing does.
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

/// Sizes in names, as `Acme_300x250.zip` has one.
package enum SizeName {
  /// What people call a creative, nearest first: its file or folder, what lies in it, and the folder it lies in.
  static func names(of reference: CreativeReference, inner: [String]) -> [String] {
    let path = address(reference.argument)
    let written = ResourcePath.split(path.utf8).filter { $0 != "." && $0 != ".." }
    let given = ResourcePath.split(reference.name.utf8)
    let folders = [written, given].map { Array($0.dropLast().suffix(1)) }
    return [written, given].flatMap { Array($0.suffix(1)) } + inner + folders.joined()
  }

  /// The one size that a name has; nil for none, and for several that differ.
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

  /// A side that an ad may have, without the zeros of a serial number.
  private static func side(_ digits: String) -> Double? {
    guard (2...4).contains(digits.count), !digits.hasPrefix("0"), let side = Double(digits), side >= 20 else {
      return nil
    }
    return side
  }

  /// Of an address only its path: hosts and queries name no creative.
  private static func address(_ argument: String) -> String {
    guard let range = argument.firstRange(of: "://") else { return argument == "-" ? "" : argument }
    let rest = argument[range.upperBound...].prefix { $0 != "?" && $0 != "#" }
    return String(rest.drop { $0 != "/" })
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { utf8.count == 1 && utf8.first.map { $0.isASCIIDigit } == true }
}
