internal import AdExperience
internal import Core
internal import Jobs
internal import MRAID
internal import WebKitRuntime

extension RenderSession {
  /// Takes a picture once everything on screen is loaded and settled; the creative's commands wait meanwhile.
  func requestPicture(_ name: String) {
    guard !photographer.isFull, failure == nil else { return }
    gate.hold()
    picturesPending += 1
    Task { @WebKitActor [weak self] in
      await self?.picture(name)
      self?.picturesPending -= 1
      self?.gate.release()
      self?.recorder.wakeWaiters()
    }
  }

  /// Takes a picture and waits for it; a scenario's own.
  func takePicture(_ name: String) async throws {
    _ = await becomesQuiet()
    let state = activeCreative?.session.state ?? .default
    await holdFilms()
    do {
      try await photographer.take(name, state: state)
    } catch {
      await releaseFilms()
      throw error
    }
    await releaseFilms()
    await meter?.pictured(state)
  }

  /// Logs what the pages have loaded since the last fixed point.
  func flushNetwork() {
    for page in pagesOfAd { page.network?.flush() }
    feed?.flushNetwork()
  }

  /// Seconds that an MRAID creative has to do nothing before it counts as at rest, unless the caller says otherwise.
  static let rest = 0.1

  /// Follows the creative through the states it goes to by itself, until it has rested for so many seconds.
  ///
  /// One that never spoke to the bridge has no states, so it is only watched when the caller said for how long.
  func staysPut(for seconds: Double) async {
    guard job.options.watch != nil || recorder.events.contains(where: { $0.source == .creative }) else { return }
    while failure == nil, !photographer.isFull {
      let seen = transitions.count
      let moves = await recorder.wait(Bounded.seconds(seconds)) { [self] in
        transitions.count > seen || picturesPending > 0
      }
      guard moves else { return }
      _ = await becomesQuiet()
    }
  }

  private func picture(_ name: String, attempt: Int = 1) async {
    let state = activeCreative?.session.state ?? .default
    let isThere = await recorder.wait(.seconds(5)) { [weak self] in
      guard let self else { return true }
      // Exposure may be told 200 ms late; always before the picture, so that no two logs differ in it.
      return scheduled.count == 0 && !video.awaitsPlayer
        && stage.pages.values.allSatisfy {
          $0.isIdle && ($0.isLoaded || $0.id == views.page) && $0.ownResourcesHaveEnded
        }
    }
    if !isThere { warnings.append("the picture \(name) was taken before everything on screen had loaded") }
    await arrives()
    flushNetwork()
    let seen = navigations
    await holdFilms()
    defer { letFilmsGoOn() }
    do {
      try await photographer.take(name, state: state)
      await meter?.pictured(state)
    } catch {
      guard failure == nil, !Task.isCancelled else { return }
      // It went elsewhere meanwhile, which it can't do for ever: the picture is that of where it arrives.
      if navigations > seen { return await picture(name, attempt: attempt) }
      // So does the browser's page, as often as the ad opens another.
      if error as? ScriptError == .wentElsewhere, attempt < Self.mostAttempts {
        return await picture(name, attempt: attempt + 1)
      }
      recorder.record(.host, "pictureFailed", ["name": .string(name), "reason": .string(String(describing: error))])
      warnings.append("no picture of \(name): \(error)")
    }
  }

  /// How often a picture is tried in which a page of the host's went elsewhere.
  private static let mostAttempts = 25

  /// Waits until the pages have handled what they were told.
  func isDelivered() async -> Bool {
    await recorder.wait(.seconds(10)) { [weak self] in self?.stage.pages.values.allSatisfy(\.isIdle) ?? true }
  }

  /// Waits until no transition, delivery or picture is under way; false when it never came to that.
  func becomesQuiet(_ longest: Duration = .seconds(10)) async -> Bool {
    await recorder.wait(longest) { [weak self] in
      guard let self else { return true }
      return isAtRest && pageLog.isEmpty
    }
  }

  /// Whether nothing of the host's is under way, from the end of the ad's load on.
  var isAtRest: Bool {
    feed?.isAtRest != false && loadEnd != nil && picturesPending == 0 && scheduled.count == 0 && gate.isOpen
      && !(creative?.session.isTransitioning ?? false) && stage.pages.values.allSatisfy(\.isIdle)
  }
}
