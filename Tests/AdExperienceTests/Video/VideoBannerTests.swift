import AdExperience
import Testing
import VAST

/// A film in a slot, which goes full screen and back.
@Suite struct VideoBannerTests {
  @Test func playsInItsSlotWithoutSoundAndWithoutAnythingModal() throws {
    let video = try VideoRig(.banner)
    #expect(video.rig.screen.kinds == [])
    #expect(video.film.playback.isMuted)
    #expect(video.film.closeDelay == 0)
    #expect(video.told(.playing) == ["*impression", "*creativeView", "*start"])
  }

  @Test func goesFullScreenWithSoundAndBackWithout() throws {
    let video = try VideoRig(.banner)
    _ = video.told(.playing, .time(1))
    #expect(video.told(.fullScreen) == ["full", "sound", "*playerExpand", "adDidExpand"])
    #expect(video.rig.screen.kinds == ["expanded"])
    #expect(video.told(.muted(false)) == ["*unmute"])
    #expect(video.toldOnClosing().sorted() == ["*playerCollapse", "adDidCollapse", "silence", "slot"])
    #expect(video.rig.screen.kinds == [])
    #expect(video.told(.time(4)) == ["*firstQuartile", "*midpoint"])
  }

  @Test func theSameControlLeadsBack() throws {
    let video = try VideoRig(.banner)
    _ = video.told(.playing, .fullScreen)
    #expect(video.told(.fullScreen).contains("adDidCollapse"))
    #expect(video.rig.screen.kinds == [])
  }

  @Test func atItsEndItLeavesFullScreenForItsEndCardInTheSlot() throws {
    let video = try VideoRig(.banner)
    _ = video.told(.playing, .fullScreen)
    let told = video.told(.ended)
    #expect(told.contains("*complete"))
    #expect(told.contains("*playerCollapse"))
    #expect(video.rig.screen.kinds == [])
    #expect(video.rig.manager.currentCreative?.displayView.rawValue == "card")
  }

  @Test func withNothingAfterItKeepsItsLastPictureWhereItIs() throws {
    let video = try VideoRig(.banner, endCard: false)
    _ = video.told(.playing, .fullScreen)
    #expect(video.told(.ended).last == "adDidComplete")
    #expect(video.rig.screen.kinds == ["expanded"])
    #expect(video.toldOnClosing().contains("adDidCollapse"))
  }
}
