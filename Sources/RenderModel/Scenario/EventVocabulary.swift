internal import Core

/// Names of the events that a render logs, by source; scenarios can wait for them and expect them.
///
/// `Schemas/README.md` explains the meaning of each.
package enum EventVocabulary {
  /// Describes the problem with an event's name in a scenario; nil for one that can be logged.
  package static func problem(with text: String) -> String? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard EventPattern(text) != nil else {
      let hint =
        parts.count == 2
        ? Suggestion.hint(for: String(parts[0]), among: Event.Source.allCases.map(\.rawValue)) : ""
      return "\"\(text)\" isn't an event name; write stateChange, or mraid/stateChange\(hint)"
    }
    let name = String(parts[parts.count - 1])
    guard parts.count == 2, let source = Event.Source(rawValue: String(parts[0])) else {
      let all = Event.Source.allCases.flatMap { names(of: $0) }
      return all.contains(name) ? nil : "there is no event \"\(name)\"\(Suggestion.hint(for: name, among: all))"
    }
    let known = names(of: source)
    guard !known.contains(name) else { return nil }
    if let near = Suggestion.nearest(to: name, among: known) {
      return "\(source.rawValue) logs no event \"\(name)\"; did you mean \(source.rawValue)/\(near)?"
    }
    // An interactive creative may send messages of types that nobody has listed.
    if source == .simid { return nil }
    let others = Event.Source.allCases.filter { names(of: $0).contains(name) }.map { "\($0.rawValue)/\(name)" }
    let hint = others.isEmpty ? "" : "; did you mean \(others.joined(separator: " or "))?"
    return "\(source.rawValue) logs no event \"\(name)\"\(hint)"
  }

  /// All event names of a source.
  package static func names(of source: Event.Source) -> [String] { symbols(of: source).map(\.rawValue) }

  private static func symbols(of source: Event.Source) -> [Event.Name] {
    switch source {
    case .creative: creative
    case .mraid: mraid
    case .playable: [.storeOpened, .called, .sent, .ignored]
    case .modal: [.push, .reset, .popState, .clearStates]
    case .ad: ad
    case .vast: vast
    case .omid: omid
    case .simid: simid
    case .feed: feed
    case .page: page
    case .network: [.resource, .refused]
    case .input: [.tap, .press, .swipe, .type, .choose]
    case .host: host
    }
  }

  private static let creative: [Event.Name] = [
    .addEventListener, .removeEventListener, .expand, .resize, .close, .unload, .open, .useCustomClose,
    .setExpandProperties, .setResizeProperties, .setOrientationProperties, .playVideo, .storePicture,
    .createCalendarEvent, .initVpaid, .vpaid, .supports, .isViewable, .getVersion, .getState, .getPlacementType,
    .getScreenSize, .getMaxSize, .getDefaultPosition, .getCurrentPosition, .getExpandProperties,
    .getResizeProperties, .getOrientationProperties, .getCurrentAppOrientation, .getLocation,
  ]

  private static let mraid: [Event.Name] = [
    .ready, .stateChange, .sizeChange, .viewableChange, .exposureChange, .audioVolumeChange, .error, .ignored,
    .premature, .vpaid,
  ]

  private static let ad: [Event.Name] = [
    .adLoaded, .failedToLoad, .adDidDisplay, .adDidComplete, .adWasClicked, .adViewWasClicked, .adDidExpand,
    .adDidCollapse, .adDidClose, .adDidLeaveApp, .adClickthroughDidClose, .creativeDidDisplay, .creativeDidComplete,
    .creativeWasClicked, .creativeViewWasClicked, .creativeClickthroughDidClose, .creativeInterstitialDidClose,
    .creativeInterstitialDidLeaveApp, .creativeFullScreenDidFinish, .creativeShouldCloseModalState,
    .creativeDidUnload, .creativeShouldDisplayModalState, .creativeMayBeClosed, .bidWon, .winNotice, .lossNotice,
    .billingNotice,
  ]

  private static let vast: [Event.Name] = [
    .impression, .creativeView, .start, .firstQuartile, .midpoint, .thirdQuartile, .complete, .progress, .skippable,
    .mute, .unmute, .pause, .resume, .skip, .closeLinear, .playerExpand, .playerCollapse, .click, .iconView,
    .iconClick, .iconFailed, .companionView, .companionClick, .nativeImpression, .nativeClick, .break, .breakStart,
    .breakEnd, .ad, .wrapper, .error, .flaw, .departure, .verificationNotExecuted, .viewUndetermined, .nonLinear,
    .reportTracking, .adExpand, .adCollapse, .close,
  ]

  private static let omid: [Event.Name] = [
    .sessionStart, .loaded, .impression, .geometryChange, .start, .firstQuartile, .midpoint, .thirdQuartile,
    .complete, .pause, .resume, .bufferStart, .bufferFinish, .skipped, .volumeChange, .playerStateChange,
    .adUserInteraction, .sessionError, .sessionFinish, .registerSessionObserver, .addEventListener, .inject,
    .scriptLoaded, .scriptFailed, .listenerError, .scriptError, .sessionClient, .ignored,
  ]

  private static let simid: [Event.Name] = [
    .createSession, .initialize, .startCreative, .adSkipped, .adStopped, .appBackgrounded, .appForegrounded,
    .fatalError, .log, .resize, .resolve, .reject, .visible, .unloaded, .extended, .timeout, .refused, .flaw,
    .clickThru, .expandNonlinear, .collapseNonlinear, .getMediaState, .reportTracking, .requestChangeAdDuration,
    .requestChangeVolume, .requestFullscreen, .requestExitFullscreen, .requestNavigation, .requestPause,
    .requestPlay, .requestResize, .requestSkip, .requestStop, .durationchange, .ended, .error, .pause, .play,
    .playing, .seeked, .seeking, .stalled, .timeupdate, .volumechange,
  ]

  private static let feed: [Event.Name] = [
    .posts, .decision, .adRequested, .adLoading, .adLost, .adPromise, .requestSent, .requestSucceeded,
    .requestFailed, .requests, .indicatorShown, .indicatorHidden, .collapsed, .scrollOffsetPreserved,
    .rotationStarted, .rotated, .rotationStopped, .notificationSeen, .notificationDismissed, .notificationFollowed,
  ]

  private static let page: [Event.Name] = [
    .loadFinished, .loadFailed, .console, .exception, .rejection, .violation, .storage, .consent, .socket, .dialog,
    .navigation, .popup, .close, .permission, .download, .fullScreen, .print, .fileChooser, .authentication,
    .webProcessEnded,
  ]

  private static let host: [Event.Name] = [
    .load, .close, .closeDelayed, .closeShown, .rotate, .orientation, .background, .foreground, .volume, .scroll,
    .launch, .advance, .update, .register, .failNextRequest, .offline, .online, .open, .playVideo, .playVideoFailed,
    .storePicture, .createCalendarEvent, .useCustomClose, .loadSecondPart, .addressRefused, .settled, .screenshot,
    .screenshotFailed, .failure, .logTruncated,
  ]
}
