import Device
import Testing

@testable import Hosting

@Suite("The watch on memory")
struct MemoryWatchTests {
  private typealias Process = MemoryWatch.Process

  private let phone = DeviceCatalogue.standard.devices[0]
  private let before = [
    Process(id: 1, kind: .worker, mebibytes: 300), Process(id: 2, kind: .network, mebibytes: 50),
    Process(id: 3, kind: .web, mebibytes: 100),
  ]

  private func excess(worker: Int = 300, network: Int = 50, web: Int = 100, limit: Int = 1_024) -> MemoryWatch.Excess? {
    MemoryWatch(limit: limit, device: phone, before: before).excess(of: [
      Process(id: 1, kind: .worker, mebibytes: worker), Process(id: 2, kind: .network, mebibytes: network),
      Process(id: 3, kind: .web, mebibytes: web),
    ])
  }

  @Test("names the web process that is over the limit by itself")
  func web() {
    #expect(excess(web: 1_024) == nil)
    #expect(excess(web: 1_025) == MemoryWatch.Excess(webProcess: 3))
  }

  @Test("counts what a page makes the network process and the worker grow by")
  func others() {
    #expect(excess(network: 1_000) == nil)
    #expect(excess(network: 1_400) == MemoryWatch.Excess(webProcess: nil))
    #expect(excess(worker: 1_200) == nil)
    #expect(excess(worker: 2_000) == MemoryWatch.Excess(webProcess: nil))
    #expect(excess(network: 700, web: 700) == MemoryWatch.Excess(webProcess: nil))
  }

  @Test("blames nobody for what was there before, nor for an ordinary ad's share")
  func allowances() {
    #expect(excess(worker: 500, network: 140, web: 250, limit: 256) == nil)
  }

  @Test("counts a network process that came after the beginning from nothing")
  func newProcess() {
    let watch = MemoryWatch(limit: 256, device: phone, before: [])
    #expect(watch.excess(of: [Process(id: 9, kind: .network, mebibytes: 353)]) == MemoryWatch.Excess(webProcess: nil))
    #expect(watch.excess(of: [Process(id: 9, kind: .network, mebibytes: 352)]) == nil)
  }

  @Test("leaves room for the pictures of a large screen")
  func largeScreen() throws {
    let large = try Device.custom(screen: "4096x4096@2")
    let grown = [Process(id: 1, kind: .worker, mebibytes: 2_700)]
    #expect(MemoryWatch(limit: 256, device: large, before: []).excess(of: grown) == nil)
    #expect(MemoryWatch(limit: 256, device: phone, before: []).excess(of: grown) != nil)
  }
}
