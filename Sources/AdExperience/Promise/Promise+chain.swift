extension Promise {
  /// What `next` promises of the value; an error skips `next` and goes down the chain.
  package func then<New>(_ next: @escaping (Value) throws -> Promise<New>) -> Promise<New> {
    derived { result, resolver in
      switch result {
      case .success(let value): resolver.follow(Self.promise { try next(value) })
      case .failure(let error): resolver.reject(error)
      }
    }
  }

  /// What `next` makes of the value.
  package func then<New>(_ next: @escaping (Value) throws -> New) -> Promise<New> { map(next) }

  /// What `transform` makes of the value; what it throws breaks the new promise.
  package func map<New>(_ transform: @escaping (Value) throws -> New) -> Promise<New> {
    derived { result, resolver in resolver.settle(result.flatMap { value in Result { try transform(value) } }) }
  }

  /// The end of a chain, where every error from above arrives; what `recover` gives stands for the value.
  package func `catch`(_ recover: @escaping (any Error) throws -> Value) -> Promise {
    derived { result, resolver in resolver.settle(result.flatMapError { error in Result { try recover(error) } }) }
  }

  /// The same where getting something else takes its time.
  package func `catch`(_ recover: @escaping (any Error) throws -> Promise) -> Promise {
    derived { result, resolver in
      switch result {
      case .success(let value): resolver.resolve(value)
      case .failure(let error): resolver.follow(Self.promise { try recover(error) })
      }
    }
  }

  /// Runs `action` however it ends, cancelled too, and passes on how that was.
  package func finally(_ action: @escaping () -> Void) -> Promise {
    derived { result, resolver in
      action()
      resolver.settle(result)
    }
  }

  /// A promise that `body` settles once this one has ended; cancelling it cancels this one, unless others wait.
  func derived<New>(
    _ body: @escaping (Result<Value, any Error>, Promise<New>.Resolver) -> Void
  ) -> Promise<New> {
    let (promise, resolver) = Promise<New>.pending()
    addDependant()
    promise.onStop { [weak self] in self?.releaseDependant() }
    listen { result in
      // A chain that was given up runs nothing any more.
      if promise.isPending { body(result, resolver) }
    }
    return promise
  }

  /// A promise of what may fail to promise anything.
  private static func promise<New>(_ body: () throws -> Promise<New>) -> Promise<New> {
    do { return try body() } catch { return Promise<New>(error: error) }
  }
}
