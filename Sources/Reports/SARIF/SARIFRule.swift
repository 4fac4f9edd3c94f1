internal import Checks

/// A rule with what a viewer shows of it.
struct SARIFRule: Encodable {
  struct Help: Encodable {
    let text: String
    let markdown: String
  }
  struct Configuration: Encodable {
    let level: String
  }
  struct Properties: Encodable {
    let tags: [String]
    let source: String
    let sourceDate: String?
  }

  let id: String
  let name: String
  let shortDescription: SARIFLog.Message
  let fullDescription: SARIFLog.Message
  let help: Help
  let helpUri: String
  let defaultConfiguration: Configuration
  let properties: Properties

  init(_ rule: CheckReport.Rule) {
    id = rule.id
    name = rule.id.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    shortDescription = SARIFLog.Message(text: rule.title)
    fullDescription = SARIFLog.Message(text: rule.why)
    let date = rule.source.date.map { " (\($0))" } ?? ""
    help = Help(
      text: "\(rule.why)\n\n\(rule.remedy)\n\nSource: \(rule.source.title)\(date), \(rule.source.url)",
      markdown: "\(rule.why)\n\n**Remedy:** \(rule.remedy)\n\nSource: [\(rule.source.title)](\(rule.source.url))\(date)"
    )
    helpUri = SARIFPath.address(rule.source.url)
    defaultConfiguration = Configuration(level: rule.severity.level)
    properties = Properties(tags: [rule.family.rawValue], source: rule.source.title, sourceDate: rule.source.date)
  }
}
