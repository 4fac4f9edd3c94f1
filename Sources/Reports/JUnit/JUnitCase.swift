internal import Checks
internal import XMLCoder

/// A check on a creative.
struct JUnitCase: Encodable, DynamicNodeEncoding {
  /// `failure`, `error` or `skipped`: a line as attribute, the rest as text.
  struct Reason: Encodable, DynamicNodeEncoding {
    let message: String
    let type: String
    let text: String

    enum CodingKeys: String, CodingKey {
      case message, type
      case text = ""
    }

    static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding {
      key.stringValue.isEmpty ? .element : .attribute
    }
  }

  let name: String
  let classname: String
  let file: String
  let time: String
  let failure: Reason?
  let error: Reason?
  let skipped: Reason?
  let output: String?

  enum CodingKeys: String, CodingKey {
    case name, classname, file, time, failure, error, skipped
    case output = "system-out"
  }

  init(_ test: TestCase, source: ReportSource) {
    name = ReportText.line(test.id == "render" ? test.title : "\(test.id): \(test.title)")
    classname = ReportText.line(test.creative.name)
    file = ReportText.line(test.creative.creativePath)
    time = JUnitSuite.seconds(test.duration)
    let details = test.details.map { ReportText.shown($0) }
    let reason = test.message.map {
      Reason(message: ReportText.line($0), type: test.id, text: details.joined(separator: "\n"))
    }
    failure = test.outcome == .failed ? reason : nil
    error = test.outcome == .broken ? reason : nil
    skipped = test.outcome == .skipped ? reason : nil
    // What fails says it in its own element; what passes with a remark has no other place for it.
    let remarks = test.outcome == .passed ? details.map(Self.withoutAttachments) : []
    let attachments = test.pictures.map { "[[ATTACHMENT|\(source.link(to: $0, in: test.creative))]]" }
    let lines = remarks + attachments
    output = lines.isEmpty ? nil : "\n" + lines.joined(separator: "\n") + "\n"
  }

  static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding {
    ["failure", "error", "skipped", "system-out"].contains(key.stringValue) ? .element : .attribute
  }

  /// A creative's text mustn't make CI attach files of its choice.
  private static func withoutAttachments(_ text: String) -> String {
    text.replacing("[[ATTACHMENT|", with: "[ [ATTACHMENT|")
  }
}
