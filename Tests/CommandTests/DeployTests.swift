import ArgumentParser
import Foundation
import Testing
import Yams

@testable import galley_server

/// The files of deploy/ call the program with options that it has, and name only what they declare.
@Suite struct DeployTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "deploy")

  private static func documents(_ name: String) throws -> [[String: Any]] {
    let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    return try Array(Yams.load_all(yaml: text)).map { try #require($0 as? [String: Any], "\(name)") }
  }

  /// The user and the host of `nats://USER:PASSWORD@HOST:PORT`.
  private static func parts(of address: Substring) throws -> (user: String, host: String) {
    let match = try #require(address.wholeMatch(of: /nats:\/\/([a-z]+):[^@]+@([a-z0-9-]+):[0-9]+/))
    return (String(match.output.1), String(match.output.2))
  }

  @Test func `compose starts servers and workers with options that they have`() throws {
    let document = try #require(try Self.documents("compose.yaml").first)
    let services = try #require(document["services"] as? [String: [String: Any]])
    let configuration = try #require(
      (document["configs"] as? [String: [String: String]])?["nats"]?["content"])
    var calls: [String: Int] = [:]
    for (name, service) in services {
      for other in service["depends_on"] as? [String] ?? [] { #expect(services[other] != nil, "\(name): \(other)") }
      for (kind, given) in [("secrets", "secrets"), ("volumes", "volumes")] {
        for use in service[kind] as? [String] ?? [] {
          let declared = document[given] as? [String: Any]
          #expect(declared?[String(use.prefix { $0 != ":" })] != nil, "\(name): \(use)")
        }
      }
      guard let words = service["command"] as? [String], let command = words.first, !command.hasPrefix("-") else {
        continue
      }
      calls[command, default: 0] += 1
      #expect(throws: Never.self, "\(name)") { _ = try ServerProgram.parseAsRoot(words) }
      // Each address of the queue is a service here.
      let queue = try #require(words.firstIndex(of: "--queue").map { words[$0 + 1] }, "\(name)")
      for address in queue.split(separator: ",") {
        let (user, host) = try Self.parts(of: address)
        #expect(services[host] != nil, "\(name): \(host)")
        #expect(configuration.contains("{ user: \(user), password: "), "\(name): \(user)")
      }
    }
    #expect(calls == ["serve": 2, "work": 1])
  }

  @Test func `Kubernetes' manifests name each other and options that there are`() throws {
    let all = try Self.documents("kubernetes.yaml")
    let configuration = try #require((all.first?["data"] as? [String: String])?["nats.conf"])
    let names = Set(all.compactMap { ($0["metadata"] as? [String: Any])?["name"] as? String })
    var calls = 0
    for document in all {
      let specification = try #require((document["spec"] ?? document["data"]) as? [String: Any])
      guard let template = specification["template"] as? [String: Any] else { continue }
      let selected = (specification["selector"] as? [String: [String: String]])?["matchLabels"]
      #expect(selected == (template["metadata"] as? [String: Any])?["labels"] as? [String: String])
      if let service = specification["serviceName"] as? String { #expect(names.contains(service)) }
      let pod = try #require(template["spec"] as? [String: Any])
      let claims = specification["volumeClaimTemplates"] as? [[String: Any]] ?? []
      let volumes =
        (pod["volumes"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        + claims.compactMap { ($0["metadata"] as? [String: Any])?["name"] as? String }
      for container in try #require(pod["containers"] as? [[String: Any]]) {
        for mount in container["volumeMounts"] as? [[String: Any]] ?? [] {
          #expect(volumes.contains(mount["name"] as? String ?? ""))
        }
        guard container["image"] as? String == "galley:latest", let words = container["args"] as? [String] else {
          continue
        }
        calls += 1
        #expect(throws: Never.self, "\(words)") { _ = try ServerProgram.parseAsRoot(words) }
        let queue = try #require(words.first { $0.hasPrefix("--queue=nats://") })
        let (user, host) = try Self.parts(of: queue.dropFirst("--queue=".count))
        #expect(names.contains(host))
        #expect(configuration.contains("{ user: \(user), password: "), "\(user)")
        // Probes ask the port that is served.
        let served = words.first { $0.hasPrefix("--metrics=") }?.split(separator: ":").last.flatMap { Int($0) } ?? 8080
        for probe in ["readinessProbe", "livenessProbe"] {
          let asked = (container[probe] as? [String: Any])?["httpGet"] as? [String: Any]
          #expect(asked?["port"] as? Int == served, "\(probe) of \(words)")
        }
      }
    }
    #expect(calls == 2)
    let scaled = try #require(try Self.documents("keda.yaml").first?["spec"] as? [String: Any])
    #expect(names.contains((scaled["scaleTargetRef"] as? [String: String])?["name"] ?? ""))
  }
}
