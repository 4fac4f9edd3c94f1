import AdManager
import Testing

/// Error for promises that fail.
struct Mishap: Error, Equatable {
  var name = "mishap"
}

@Suite struct PromiseTests {
  /// Text of a promise's state or result, for comparisons.
  private func ending(_ promise: Promise<Int>) -> String {
    switch promise.result {
    case nil: "pending"
    case .success(let value): "\(value)"
    case .failure(let error): "\(error is Mishap ? (error as? Mishap)?.name ?? "" : "\(error)")"
    }
  }

  @Test func `observers before and after the end hear it once each, in the order they came`() {
    let (promise, resolver) = Promise<Int>.pending()
    var heard: [String] = []
    promise.observe { heard.append("a\((try? $0.get()) ?? -1)") }
    promise.observe { heard.append("b\((try? $0.get()) ?? -1)") }
    #expect(heard.isEmpty)
    #expect(promise.isPending)
    resolver.resolve(1)
    promise.observe { heard.append("c\((try? $0.get()) ?? -1)") }
    #expect(heard == ["a1", "b1", "c1"])
    #expect(!promise.isPending)
  }

  @Test func `only the first end counts`() {
    let (promise, resolver) = Promise<Int>.pending()
    var count = 0
    promise.observe { _ in count += 1 }
    #expect(resolver.resolve(1))
    #expect(!resolver.resolve(2))
    #expect(!resolver.reject(Mishap()))
    promise.cancel()
    #expect(ending(promise) == "1")
    #expect(count == 1)
  }

  @Test func `an observer added by an observer doesn't overtake those who wait`() {
    let (promise, resolver) = Promise<Int>.pending()
    var heard: [String] = []
    promise.observe { _ in
      heard.append("first")
      promise.observe { _ in heard.append("added") }
    }
    promise.observe { _ in heard.append("second") }
    resolver.resolve(1)
    #expect(heard == ["first", "second", "added"])
  }

  @Test func `a promise settled by its observer's resolver stays as it was`() {
    let (promise, resolver) = Promise<Int>.pending()
    var heard: [Int] = []
    promise.observe { _ in #expect(!resolver.resolve(9)) }
    promise.observe { heard.append((try? $0.get()) ?? -1) }
    resolver.resolve(3)
    #expect(heard == [3])
  }

  @Test func `then takes a value or a promise`() {
    let (promise, resolver) = Promise<Int>.pending()
    let (later, laterResolver) = Promise<Int>.pending()
    let byValue = promise.then { $0 + 1 }
    let byPromise = promise.then { _ in later }
    resolver.resolve(1)
    #expect(ending(byValue) == "2")
    #expect(ending(byPromise) == "pending")
    laterResolver.resolve(7)
    #expect(ending(byPromise) == "7")
  }

  @Test func `an error goes down the chain past everything to one catch`() {
    let (promise, resolver) = Promise<Int>.pending()
    var steps: [String] = []
    let chain = promise.map { value in
      steps.append("map")
      return value
    }.then { _ in
      steps.append("then")
      return Promise(value: 2)
    }.catch { error in
      steps.append("catch")
      #expect(error as? Mishap == Mishap())
      return 42
    }.map { $0 + 1 }
    resolver.reject(Mishap())
    #expect(steps == ["catch"])
    #expect(ending(chain) == "43")
  }

  @Test func `what a step throws breaks the chain, whichever step it is`() {
    let thrower: (Int) throws -> Int = { _ in throw Mishap() }
    let promiser: (Int) throws -> Promise<Int> = { _ in throw Mishap(name: "promiser") }
    #expect(ending(Promise(value: 1).map(thrower)) == "mishap")
    #expect(ending(Promise(value: 1).then(promiser)) == "promiser")
    let recovery: (any Error) throws -> Int = { _ in throw Mishap(name: "again") }
    #expect(ending(Promise(error: Mishap()).catch(recovery)) == "again")
  }

  @Test func `catch may promise something else, and leaves a kept promise alone`() {
    let other: (any Error) throws -> Promise<Int> = { _ in Promise(value: 5) }
    #expect(ending(Promise(error: Mishap()).catch(other)) == "5")
    #expect(ending(Promise(value: 1).catch(other)) == "1")
  }

  @Test(arguments: ["value", "error", "cancel"])
  func `finally runs once however it ends, and passes the end on`(end: String) {
    let (promise, resolver) = Promise<Int>.pending()
    var runs = 0
    let chain = promise.finally { runs += 1 }
    switch end {
    case "value": resolver.resolve(1)
    case "error": resolver.reject(Mishap())
    default: promise.cancel()
    }
    #expect(runs == 1)
    #expect(ending(chain) == ["value": "1", "error": "mishap", "cancel": "cancelled"][end])
  }

  @Test func `all keeps the order of the promises, not of the answers`() {
    let pairs = (0..<4).map { _ in Promise<Int>.pending() }
    let all = Promise.all(pairs.map(\.promise))
    for index in [2, 0, 3, 1] {
      #expect(all.isPending)
      pairs[index].resolver.resolve(index)
    }
    #expect((try? all.result?.get()) == [0, 1, 2, 3])
    #expect((try? Promise.all([Promise<Int>]()).result?.get()) == [])
  }

  @Test func `all is broken by the first that is, and gives up the rest`() {
    let pairs = (0..<3).map { _ in Promise<Int>.pending() }
    var stopped: [Int] = []
    for (index, pair) in pairs.enumerated() { pair.resolver.onCancel { stopped.append(index) } }
    let all = Promise.all(pairs.map(\.promise))
    pairs[1].resolver.reject(Mishap())
    #expect(throws: Mishap.self) { try all.result?.get() }
    #expect(stopped == [0, 2])
  }

  @Test func `a long chain of promises that follow promises ends`() {
    func countdown(_ left: Int) -> Promise<Int> {
      left == 0 ? Promise(value: 0) : Promise(value: left).then { countdown($0 - 1) }
    }
    #expect(ending(countdown(1_000)) == "0")
    let (promise, resolver) = Promise<Int>.pending()
    var last = promise
    for _ in 0..<1_000 { last = last.map { $0 + 1 } }
    resolver.resolve(0)
    #expect(ending(last) == "1000")
  }

  @Test func `a promise that nobody can settle any more is let go of with its chain`() {
    final class Witness {}
    weak var witness: Witness?
    do {
      let object = Witness()
      witness = object
      let (promise, _) = Promise<Int>.pending()
      promise.map { [object] value in
        _ = object
        return value
      }.finally {}.observe { _ in }
    }
    #expect(witness == nil)
  }
}

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
