internal import Bundles

/// What a creative is called, in lists and as a folder.
enum CreativeName {
  /// What the caller says, else the file's name or the address, else `creative`; safe as one part of a path.
  static func of(given: String?, creative: Creative?) -> String {
    let name = written(given: given, creative: creative)
    // One stands for standard input, the other for the report beside the result.
    return ["-", "report.json"].contains(name) ? "creative" : name
  }

  private static func written(given: String?, creative: Creative?) -> String {
    if let given { return SafeName.make(given) }
    switch creative {
    case .file(_, let name?): return SafeName.make(String(name.split(separator: "/").last ?? "creative"))
    case .address(let address):
      let rest = address.split(separator: "://", maxSplits: 1).last ?? ""
      return SafeName.make(String(rest.prefix { $0 != "?" && $0 != "#" }.prefix(80)))
    case .bytes, .file, nil: return "creative"
    }
  }
}
