import AdExperience
import Testing

@Suite struct PromiseCancellationTests {
  @Test func `whoever waits hears of a cancellation, and the work is told to stop once`() {
    let (promise, resolver) = Promise<Int>.pending()
    var stops = 0
    var heard: [String] = []
    resolver.onCancel { stops += 1 }
    promise.observe { if case .failure(let error) = $0 { heard.append("\(error)") } }
    promise.cancel()
    promise.cancel()
    #expect(!resolver.resolve(1))
    #expect(stops == 1)
    #expect(heard == ["cancelled"])
  }

  @Test func `work that begins after the cancellation is told at once`() {
    let (promise, resolver) = Promise<Int>.pending()
    promise.cancel()
    var isStopped = false
    resolver.onCancel { isStopped = true }
    #expect(isStopped)
  }

  @Test func `a settled promise stops no work`() {
    let (promise, resolver) = Promise<Int>.pending()
    var isStopped = false
    resolver.onCancel { isStopped = true }
    resolver.resolve(1)
    promise.cancel()
    #expect(!isStopped)
    #expect((try? promise.result?.get()) == 1)
  }

  @Test func `the end of a chain cancels all of it`() {
    let (promise, resolver) = Promise<Int>.pending()
    var isStopped = false
    resolver.onCancel { isStopped = true }
    var ran = false
    let chain = promise.map { $0 }.then { value in
      ran = true
      return Promise(value: value)
    }.finally {}
    chain.cancel()
    #expect(isStopped)
    #expect(!promise.isPending)
    #expect(!ran)
  }

  @Test func `a promise goes on as long as one of those made of it is wanted`() {
    let (promise, resolver) = Promise<Int>.pending()
    let (one, two) = (promise.map { $0 }, promise.map { $0 })
    one.cancel()
    #expect(promise.isPending)
    resolver.resolve(4)
    #expect((try? two.result?.get()) == 4)
    #expect(throws: PromiseCancelled.self) { try one.result?.get() }
  }

  @Test func `a promise that is observed goes on although all made of it are cancelled`() {
    let (promise, resolver) = Promise<Int>.pending()
    var heard: Int?
    promise.observe { heard = try? $0.get() }
    promise.map { $0 }.cancel()
    resolver.resolve(2)
    #expect(heard == 2)
  }

  @Test func `cancelling what follows an inner promise cancels that`() {
    let (inner, resolver) = Promise<Int>.pending()
    var isStopped = false
    resolver.onCancel { isStopped = true }
    let outer = Promise(value: 1).then { _ in inner }
    outer.cancel()
    #expect(isStopped)
    #expect(!inner.isPending)
  }

  @Test func `cancelling all cancels what nobody else waits for`() {
    let pairs = (0..<3).map { _ in Promise<Int>.pending() }
    let other = pairs[2].promise.map { $0 }
    Promise.all(pairs.map(\.promise)).cancel()
    #expect(pairs.map(\.promise.isPending) == [false, false, true])
    #expect(other.isPending)
  }

  @Test func `a cancellation can be caught like any other end`() {
    let (promise, _) = Promise<Int>.pending()
    let chain = promise.catch { $0 is PromiseCancelled ? 0 : 1 }
    promise.cancel()
    #expect((try? chain.result?.get()) == 0)
  }
}
