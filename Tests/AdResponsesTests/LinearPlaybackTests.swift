import AdResponses
import Testing

@Suite("A film while it plays")
struct LinearPlaybackTests {
  private static let whole: [PlaybackEvent] = [
    .impression, .creativeView, .start, .firstQuartile, .midpoint, .thirdQuartile, .complete,
  ]

  private func told(_ playback: inout LinearPlayback, _ inputs: LinearPlayback.Input...) -> [PlaybackEvent] {
    inputs.flatMap { playback.handle($0) }
  }

  @Test("tells its quartiles in order, however rarely the player reports", arguments: [0.01, 0.25, 1, 3, 100])
  func order(step: Double) {
    var playback = LinearPlayback(duration: 8)
    var events = playback.handle(.playing)
    var time = 0.0
    while time < 8 {
      time += step
      events += playback.handle(.time(time))
    }
    events += playback.handle(.ended)
    #expect(events == Self.whole)
    #expect(playback.phase == .ended)
  }

  @Test("tells each quartile at its time and not before")
  func timestamps() {
    var playback = LinearPlayback(duration: 8)
    #expect(playback.handle(.time(3)) == [])
    #expect(playback.handle(.playing) == [.impression, .creativeView, .start])
    #expect(playback.handle(.time(1.99)) == [])
    #expect(playback.handle(.time(2)) == [.firstQuartile])
    #expect(playback.handle(.time(2)) == [])
    #expect(playback.handle(.time(1)) == [])
    #expect(playback.handle(.time(4)) == [.midpoint])
    #expect(playback.handle(.time(.nan)) == [])
    #expect(playback.handle(.time(8)) == [.thirdQuartile])
    #expect(playback.handle(.ended) == [.complete])
    #expect(playback.handle(.ended) == [])
  }

  @Test("knows which moments a report passes, each once")
  func passed() {
    var playback = LinearPlayback(duration: 8, skipOffset: 4, progress: [3, 4])
    #expect(playback.moments(until: 1) == [])
    #expect(playback.moments(until: 5) == [2, 3, 4])
    _ = told(&playback, .playing, .time(3))
    #expect(playback.moments(until: 8) == [4, 6])
  }

  @Test("tells moments somebody asked for between the quartiles, after one of the same instant")
  func progress() {
    var playback = LinearPlayback(duration: 8, progress: [4, 0, 3, 99, 4, -1])
    #expect(
      told(&playback, .playing, .time(5)) == [
        .impression, .creativeView, .start, .progress(0), .firstQuartile, .progress(3), .midpoint, .progress(4),
      ])
  }

  @Test("stops and goes on once each")
  func pause() {
    var playback = LinearPlayback(duration: 8)
    #expect(told(&playback, .paused) == [])
    #expect(told(&playback, .playing, .paused, .paused).last == .pause)
    #expect(told(&playback, .playing, .playing) == [.resume])
    #expect(told(&playback, .ended, .paused, .playing) == [.firstQuartile, .midpoint, .thirdQuartile, .complete])
  }

  @Test("tells sound only once it plays, and only changes")
  func sound() {
    var playback = LinearPlayback(duration: 8, isMuted: true)
    #expect(told(&playback, .muted(false), .muted(true)) == [])
    _ = playback.handle(.playing)
    #expect(told(&playback, .muted(true), .muted(false), .muted(false), .muted(true)) == [.unmute, .mute])
  }

  @Test("is skipped from its offset on, and tells nothing after")
  func skip() {
    var playback = LinearPlayback(duration: 8, skipOffset: 3)
    #expect(told(&playback, .playing, .time(2.9), .skipped).last == .firstQuartile)
    #expect(!playback.isSkippable)
    #expect(told(&playback, .time(3), .skipped) == [.skippable, .skip])
    #expect(told(&playback, .time(8), .ended, .paused, .playing, .muted(true), .closed) == [])
  }

  @Test("isn't skipped without an offset, or with one beyond its end")
  func unskippable() {
    for offset in [nil, 8, 20] as [Double?] {
      var playback = LinearPlayback(duration: 8, skipOffset: offset)
      #expect(told(&playback, .playing, .time(7), .skipped).last == .thirdQuartile)
      #expect(playback.closeDelayLeft == 1)
    }
  }

  @Test("counts down to its close control by the film's time")
  func closeDelay() {
    var playback = LinearPlayback(duration: 8, skipOffset: 3)
    #expect(playback.closeDelayLeft == 3)
    _ = told(&playback, .playing, .time(1), .paused)
    #expect(playback.closeDelayLeft == 2)
    _ = told(&playback, .playing, .time(4))
    #expect(playback.closeDelayLeft == 0)
  }

  @Test("is stopped by what runs above it, with a word for that or without, and not when it is over")
  func stopped() {
    for (event, wanted) in [(PlaybackEvent.skip as PlaybackEvent?, [PlaybackEvent.skip]), (nil, [])] {
      var playback = LinearPlayback(duration: 8)
      _ = told(&playback, .playing, .time(1))
      #expect(told(&playback, .stopped(event)) == wanted)
      #expect(playback.isOver)
      #expect(told(&playback, .time(5), .ended, .stopped(event)) == [])
    }
    var over = LinearPlayback(duration: 8)
    _ = told(&over, .playing, .ended)
    #expect(told(&over, .stopped(.skip)) == [])
  }

  @Test("is closed once, and not when it is over")
  func close() {
    var playback = LinearPlayback(duration: 8)
    #expect(told(&playback, .playing, .closed).last == .closeLinear)
    #expect(told(&playback, .closed, .time(5)) == [])
    var over = LinearPlayback(duration: 8)
    #expect(told(&over, .playing, .ended, .closed).last == .complete)
  }

  @Test("goes full screen and back")
  func fullScreen() {
    var playback = LinearPlayback(duration: 8)
    #expect(
      told(&playback, .fullScreen(false), .fullScreen(true), .fullScreen(true), .fullScreen(false)) == [
        .expand, .collapse,
      ])
  }

  @Test("never tells a moment twice or out of order, whatever the player reports")
  func property() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      var playback = LinearPlayback(duration: 8, skipOffset: 2, progress: [1, 5])
      var events: [PlaybackEvent] = []
      for _ in 0..<40 {
        let input: LinearPlayback.Input =
          switch Int.random(in: 0..<7, using: &random) {
          case 0: .playing
          case 1: .paused
          case 2: .ended
          case 3: .skipped
          case 4: .muted(Bool.random(using: &random))
          default: .time(Double.random(in: -1...9, using: &random))
          }
        events += playback.handle(input)
      }
      let moments: [PlaybackEvent] = [
        .impression, .creativeView, .start, .progress(1), .firstQuartile, .midpoint, .progress(5), .thirdQuartile,
        .complete,
      ]
      let told = events.filter(moments.contains)
      #expect(told == moments.filter(told.contains), "\(events)")
      #expect(Set(told).count == told.count)
      #expect(events.count { $0 == .pause } - events.count { $0 == .resume } <= 1)
      if let end = events.firstIndex(where: { $0 == .skip }) { #expect(end == events.count - 1) }
    }
  }
}

@Suite("A moment of a film")
struct VASTOffsetTests {
  @Test(
    "is read from a time or a share",
    arguments: [
      ("00:00:05", VASTOffset.seconds(5)), ("01:02:03", .seconds(3723)), ("00:00:05.250", .seconds(5.25)),
      ("00:00:05.5", .seconds(5.5)), (" 25% ", .share(0.25)), ("0%", .share(0)), ("12.5%", .share(0.125)),
    ])
  func read(text: String, offset: VASTOffset) { #expect(VASTOffset(text) == offset) }

  @Test(
    "is nothing else",
    arguments: ["", "5", "00:05", "00:00:60", "00:60:00", "-00:00:05", "00:00:05.", "00:00:05.1234", "101%", "%", "a%"])
  func refused(text: String) { #expect(VASTOffset(text) == nil) }

  @Test("is counted from the film's length where it is a share")
  func seconds() {
    #expect(VASTOffset.share(0.25).seconds(of: 8) == 2)
    #expect(VASTOffset.share(0.25).seconds(of: nil) == nil)
    #expect(VASTOffset.seconds(3).seconds(of: nil) == 3)
  }

  @Test("is written as the standard writes times", arguments: [(0, "00:00:00.000"), (3723.25, "01:02:03.250")])
  func text(seconds: Double, text: String) { #expect(VASTOffset.text(seconds) == text) }
}
