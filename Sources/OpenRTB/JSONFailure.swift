internal import Core
internal import Foundation

/// Where JSON breaks off, in words.
enum JSONFailure {
  /// `line 3: it is no JSON: invalid value`; the decoder doesn't tell, so the text is read once more by who does.
  static func reason(of bytes: [UInt8]) -> String {
    do {
      _ = try JSONSerialization.jsonObject(with: Data(bytes))
      return "it is no JSON"
    } catch {
      let text = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? ""
      return reason(text, in: bytes)
    }
  }

  /// What Foundation says, with its place counted in lines.
  private static func reason(_ text: String, in bytes: [UInt8]) -> String {
    guard let match = text.firstMatch(of: /^(.*?) around character (\d+)/), let offset = Int(match.output.2) else {
      return "it is no JSON: the document ends too early"
    }
    let line = bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
    return "line \(line): it is no JSON: \(match.output.1.lowercased())"
  }
}
