internal import Foundation
internal import FoundationXML

/// Words for the ways in which XML is most often broken.
enum XMLFailure {
  /// One clause a person can act on; libxml2's number where the way is a rare one.
  static func reason(_ error: (any Error)?, open: XMLTree? = nil) -> String {
    guard let error = error as NSError? else { return "it is no XML" }
    if let open {
      if error.code == 5 || error.code == 77 {
        return "the document ends before <\(open.name)> of line \(open.line) does"
      }
      if error.code == 76 { return "<\(open.name)> of line \(open.line) is open, and another element ends" }
    }
    return byCode[error.code] ?? "it is no well-formed XML (libxml2 error \(error.code))"
  }

  /// By libxml2's numbers.
  private static let byCode: [Int: String] = [
    4: "there is no element in it",
    5: "something stands after the end of the document",
    9: "a character that XML doesn't allow",
    23: "an & that begins no entity: in text write &amp;, or put addresses into <![CDATA[…]]>",
    26: "an entity that XML doesn't know",
    38: "a < inside an attribute's value",
    39: "an attribute's value without quotes",
    40: "an attribute whose value doesn't end",
    41: "an attribute without a value",
    42: "the same attribute twice",
    62: "a ]]> outside of CDATA",
    63: "a CDATA section that doesn't end",
    65: "no space between two attributes",
    68: "an & or < that begins nothing: in text write &amp; and &lt;, or use <![CDATA[…]]>",
    73: "a tag that doesn't end with >",
    76: "an element ends that isn't open",
    81: "an encoding that isn't known",
  ]
}
