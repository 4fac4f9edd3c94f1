import Core
import Foundation
import Testing

@testable import Application
@testable import Terminal

/// Output of `galley doctor` about a machine, and its limits.
@Suite struct DoctorTests {
  private let findings = [
    MachineFinding.ok(.display, "fine"), .warning(.fonts, "no emoji", remedy: "apt install x"),
    .error(.render, "a line\nand another", remedy: "mend it"),
  ]

  @Test func `a finding is a line, and its remedy the next`() throws {
    let text = try HostileText.captured { console in
      let reporter = DoctorReporter(json: false, console: console)
      for finding in findings { reporter.handleProgress(finding) }
      try reporter.end(MachineReport(webkit: "2.1", findings: findings), bundle: "a.zip")
    }
    #expect(
      text == """
        ok       display      fine
        warning  fonts        no emoji
                              apt install x
        error    render       a line and another
                              mend it

        creatives can't be rendered here: 1 error, 1 warning
        for a bug report: a.zip

        """)
  }

  @Test func `only errors fail`() {
    #expect(MachineReport(webkit: nil, findings: findings).status == .engine)
    #expect(MachineReport(webkit: nil, findings: Array(findings.prefix(2))).status == .pass)
  }

  @Test func `as JSON it is one document`() throws {
    let text = try HostileText.captured { console in
      let reporter = DoctorReporter(json: true, console: console)
      for finding in findings { reporter.handleProgress(finding) }
      try reporter.end(MachineReport(webkit: "2.1", findings: findings), bundle: nil)
    }
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    #expect(document["findings"]?.array?.count == 3)
    #expect(document["findings"]?[1]?["remedy"] == "apt install x")
  }

  @Test func `the environment is told without secrets`() {
    let text = EnvironmentText.of([
      "LANG": "C.UTF-8", "HOME": "/home/mia", "XDG_CACHE_HOME": "/home/mia/.cache", "USER": "mia",
      "https_proxy": "http://mia:word@proxy:1", "GALLEY_TOKEN": "abc", "GST_DEBUG": "https://u:p@h", "EDITOR": "vi",
      "GALLEY_FORK_SERVER": "off", "AWS_SECRET_ACCESS_KEY": "x", "TMPDIR": "/a\nb", "LC_PASSWORD": "x",
    ])
    #expect(
      text == """
        GALLEY_FORK_SERVER=off
        GALLEY_TOKEN is set; its value is left out
        GST_DEBUG is set; its value is left out
        HOME is set; its value is left out
        LANG=C.UTF-8
        LC_PASSWORD is set; its value is left out
        TMPDIR=/a b
        USER is set; its value is left out
        XDG_CACHE_HOME=~/.cache
        https_proxy is set; its value is left out

        """)
  }

  @Test func `the schema has every area, status and member`() throws {
    let schema = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Schemas/doctor.schema.json")
    let root = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: schema))
    let finding = root["properties"]?["findings"]?["items"]
    func words(_ member: String) -> [String]? {
      finding?["properties"]?[member]?["enum"]?.array?.compactMap(\.string)
    }
    #expect(words("area").map(Set.init) == Set(MachineFinding.Area.allCases.map(\.rawValue)))
    #expect(words("status") == MachineFinding.Status.allCases.map(\.rawValue))
    let report = try JSONDecoder().decode(
      JSONValue.self, from: JSONEncoder().encode(MachineReport(webkit: "2.1", findings: findings)))
    #expect(Set(report.object?.keys.map { $0 } ?? []) == Set(root["properties"]?.object?.keys.map { $0 } ?? []))
    let members = report["findings"]?[1]?.object?.keys.map { $0 } ?? []
    #expect(Set(members) == Set(finding?["properties"]?.object?.keys.map { $0 } ?? []))
  }
}
