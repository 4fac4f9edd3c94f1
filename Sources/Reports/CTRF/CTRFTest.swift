internal import Checks
internal import Core
internal import Jobs

/// A test case of CTRF's.
struct CTRFTest: Encodable {
  enum Status: String, Encodable { case passed, failed, skipped, other }
  struct Attachment: Encodable {
    let name: String
    let contentType = "image/png"
    let path: String
  }

  let name: String
  let status: Status
  let rawStatus: String
  let duration: Int
  let suite: [String]
  let message: String?
  let trace: String?
  let tags: [String]?
  let type = "creative"
  let filePath: String
  let device: String
  let attachments: [Attachment]?

  init(_ test: TestCase, source: ReportSource) {
    let creative = test.creative
    name = ReportText.line("\(creative.name): \(test.title)")
    status = Self.status(test)
    rawStatus = test.id == "render" ? creative.status.rawValue : "\(test.outcome)"
    duration = Bounded.int(test.duration, in: 0...9_000_000_000_000_000)
    suite = [ReportText.line(creative.name)]
    message = test.message.map(ReportText.line)
    trace = test.details.isEmpty ? nil : ReportText.shown(test.details.joined(separator: "\n"))
    let family = source.report.rules.first { $0.id == test.id }?.family.rawValue
    tags = [test.id, family].compactMap(\.self)
    filePath = creative.creativePath
    device = creative.record.device.name
    let pictures = test.pictures.map {
      Attachment(name: String($0.split(separator: "/").last ?? ""), path: source.link(to: $0, in: creative))
    }
    attachments = pictures.isEmpty ? nil : pictures
  }

  /// A render that timed out or broke must be seen; a check that broke says nothing about the creative.
  private static func status(_ test: TestCase) -> Status {
    switch test.outcome {
    case .passed: .passed
    case .failed: .failed
    case .skipped: .skipped
    case .broken: test.id == "render" ? .failed : .other
    }
  }
}
