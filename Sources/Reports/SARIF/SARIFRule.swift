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
  /// Nil for what no browser can open.
  let helpUri: String?
  let defaultConfiguration: Configuration
  let properties: Properties

  init(_ rule: CheckReport.Rule) {
    id = rule.id
    name = rule.id.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    shortDescription = SARIFLog.Message(text: rule.title)
    fullDescription = SARIFLog.Message(text: rule.why)
    let date = rule.source.date.map { " (\($0))" } ?? ""
    let address = rule.source.isOnTheWeb ? rule.source.url : nil
    let (name, link) = (rule.source.title, address.map { "[\(rule.source.title)](\($0))" } ?? rule.source.title)
    help = Help(
      text: "\(rule.why)\n\n\(rule.remedy)\n\nSource: \(name)\(date)\(address.map { ", \($0)" } ?? "")",
      markdown: "\(rule.why)\n\n**Remedy:** \(rule.remedy)\n\nSource: \(link)\(date)")
    helpUri = address.map(SARIFPath.address)
    defaultConfiguration = Configuration(level: rule.severity.level)
    properties = Properties(tags: [rule.family.rawValue], source: rule.source.title, sourceDate: rule.source.date)
  }
}
