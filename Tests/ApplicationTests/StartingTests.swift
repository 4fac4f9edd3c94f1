import Checks
import Core
import Foundation
import TestFolders
import Testing

@testable import Application

/// Files with which a new project begins.
@Suite struct StartingTests {
  @Test func `the project's file is one, also with every line of it`() throws {
    let folder = try TestFolder()
    let path = try folder.write("galley.yaml", StarterPolicy.text)
    let plain = try PolicyFile(named: path, creatives: [])
    #expect(plain.policy.profiles == ["iab"] && plain.policy.devices == ["iphone-15"])
    #expect(plain.policy.options.isEmpty)
    let lines = StarterPolicy.text.split(separator: "\n", omittingEmptySubsequences: false)
    let first = try #require(lines.firstIndex(of: "# severity:"))
    let shown = lines[first...].map { line in
      line.wholeMatch(of: /# ((?:severity|suppress|options):| .*)/).map { String($0.output.1) } ?? String(line)
    }
    let text = (lines[..<first].map(String.init) + shown).joined(separator: "\n")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let whole = try PolicyFile(named: path, creatives: [])
    #expect(whole.policy.options.map(\.name) == ["size", "container", "seed", "offline"], "\(text)")
  }

  @Test(arguments: CISystem.allCases) func `a CI file names the folder wherever it has to`(system: CISystem) throws {
    let ready = try system.text(creatives: "creatives")
    let own = try system.text(creatives: "ads/spring 24")
    #expect(own != ready)
    for line in own.split(separator: "\n") where line.contains(" check ") || line.contains("verify ") {
      guard line.contains("--recursive") else { continue }
      #expect(line.contains("\"ads/spring 24\" --recursive"), "\(line)")
    }
    #expect(!own.contains("creatives: creatives\n"))
  }

  @Test(arguments: ["it's", "a\"b", "$HOME", "a\nb", "-x", "a: b", "a #b", "a\\b", "`id`"])
  func `a folder that a shell would read otherwise is refused`(folder: String) {
    #expect(throws: Fault.self) { try CISystem.github.text(creatives: folder) }
  }
}
