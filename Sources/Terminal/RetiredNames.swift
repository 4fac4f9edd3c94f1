internal import Core

/// Options that were renamed in schema 2; they are refused with the new name.
enum RetiredNames {
  private static let options = [
    "--pictures-only": "--screenshots-only", "--patience": "--queue-timeout",
    "--watch": "--idle-time (how long a creative must stay in its state) and --measure-time (how long it is measured)",
  ]

  /// Refuses calls that use a retired option.
  /// - Throws: a request's fault when a word of the call is a retired name.
  static func check(_ words: [String]) throws(Fault) {
    for word in words.prefix(while: { $0 != "--" }) {
      let option = String(word.prefix { $0 != "=" })
      if let name = options[option] { throw .request("option-renamed", "\(option) is now called \(name)") }
    }
  }
}
