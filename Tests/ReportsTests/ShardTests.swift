import Checks
import Core
import Foundation
import Testing

@testable import Reports

@Suite("Shards")
struct ShardTests {
  private let names = (1...400).map { "campaign/creative-\($0)" }

  @Test("every creative is in exactly one share", arguments: [1, 2, 3, 5, 8])
  func partition(count: Int) throws {
    let shards = try (1...count).map { try #require(Shard(number: $0, count: count)) }
    for name in names { #expect(shards.count { $0.contains(name) } == 1) }
  }

  @Test("shares are even on average", arguments: [2, 4, 5, 8])
  func even(count: Int) throws {
    for number in 1...count {
      let shard = try #require(Shard(number: number, count: count))
      let share = Double(names.count { shard.contains($0) }) / Double(names.count)
      #expect(abs(share * Double(count) - 1) < 0.35, "\(shard)")
    }
  }

  @Test("a creative's share is the same in every release")
  func pinned() throws {
    let shard = try #require(Shard("2/5"))
    #expect(
      ["banner", "resize", "expand-one-part", "video", "canvas"].map(shard.contains) == [
        true, true, false, false, false,
      ])
  }

  @Test("only n/m with n from 1 to m is a shard", arguments: ["0/5", "6/5", "2", "2/0", "a/b", "2/5/1", "-1/5", ""])
  func malformed(text: String) {
    #expect(Shard(text) == nil)
  }

  @Test("parts of a batch join to the unsharded report, whatever their order")
  func joining() throws {
    let whole = Sample.report((1...9).map { Sample.creative("c\($0)") })
    let parts = try (1...3).map { try part(whole, #require(Shard(number: $0, count: 3))) }
    #expect(parts.map(\.creatives.count).reduce(0, +) == 9)
    #expect(try CheckReport(joining: [parts[2], parts[0], parts[1]]) == whole)
  }

  @Test("a creative's verdicts on several devices stay together")
  func devices() throws {
    let names = (1...6).flatMap { ["c\($0)/phone", "c\($0)/tablet"] }
    let whole = Sample.report(names.map { Sample.creative($0) })
    let parts = (0..<2).map { half in
      var part = whole
      let mine = (0..<6).filter { $0 % 2 == half }
      part.creatives = mine.flatMap { [whole.creatives[$0 * 2], whole.creatives[$0 * 2 + 1]] }
      part.part = ReportPart(
        shard: Shard(number: half + 1, count: 2)!, positions: mine.flatMap { [$0, $0] }, total: 6)
      return part
    }
    #expect(try CheckReport(joining: parts) == whole)
  }

  @Test("a missing, doubled or foreign part is refused")
  func refused() throws {
    let whole = Sample.report((1...9).map { Sample.creative("c\($0)") })
    let parts = try (1...3).map { try part(whole, #require(Shard(number: $0, count: 3))) }
    #expect(code { try CheckReport(joining: [parts[0], parts[2]]) } == "shards-missing")
    #expect(code { try CheckReport(joining: [parts[0], parts[1], parts[2], parts[2]]) } == "shards-differ")
    #expect(code { try CheckReport(joining: [whole]) } == "report-unsharded")
    #expect(code { try CheckReport(joining: []) } == "shards-missing")
    var foreign = parts[1]
    foreign.rules.removeLast()
    #expect(code { try CheckReport(joining: [parts[0], foreign, parts[2]]) } == "shards-differ")
    var strict = parts[1]
    strict.strict = true
    #expect(code { try CheckReport(joining: [parts[0], strict, parts[2]]) } == "shards-differ")
    var broken = parts[1]
    broken.part?.positions = [1_000]
    #expect(code { try CheckReport(joining: [parts[0], broken, parts[2]]) } == "report-unreadable")
  }

  private func code(_ work: () throws -> CheckReport) -> String? {
    do {
      _ = try work()
      return nil
    } catch {
      return (error as? Fault)?.code
    }
  }

  private func part(_ whole: CheckReport, _ shard: Shard) -> CheckReport {
    var part = whole
    let mine = whole.creatives.indices.filter { shard.contains(whole.creatives[$0].name) }
    part.creatives = mine.map { whole.creatives[$0] }
    part.part = ReportPart(shard: shard, positions: mine, total: whole.creatives.count)
    return part
  }
}

@Suite("Reading what checks left")
struct ReportReadingTests {
  private func code(_ folder: String) -> String? {
    do throws(Fault) {
      _ = try ReportSource.read(folder: folder, workingFolder: "/")
      return nil
    } catch {
      return error.code
    }
  }

  @Test("a report is read as it was written, and dated by its file")
  func reading() throws {
    let folder = try SampleFolder(Sample.full)
    let source = try ReportSource.read(folder: folder.path + "/", workingFolder: folder.path)
    #expect(source.report == Sample.full)
    #expect(source.folder == folder.path)
    #expect(abs(Double(source.finished) / 1000 - Date().timeIntervalSince1970) < 60)
  }

  @Test("a folder without a report, or with another document, is a wrong call")
  func missing() throws {
    let folder = try SampleFolder(Sample.full)
    try Data("{}".utf8).write(to: URL(filePath: folder.path + "/report.json"))
    #expect(code(folder.path) == "report-unreadable")
    try FileManager.default.removeItem(atPath: folder.path + "/report.json")
    #expect(code(folder.path) == "report-missing")
  }

  @Test(
    "a report that leads out of its folder is refused",
    arguments: ["../secret", "/etc", "a/../../b", ".", "./a", "a/", "a//b", ""])
  func outside(path: String) throws {
    var report = Sample.report([Sample.creative("fine")])
    let folder = try SampleFolder(report)
    report.creatives[0].folder = path
    try JSONEncoder().encode(report).write(to: URL(filePath: folder.path + "/report.json"))
    #expect(code(folder.path) == "report-unreadable")
  }
}
