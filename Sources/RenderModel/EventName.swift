extension Event {
  /// Name of an event as a symbol, which the compiler checks.
  ///
  /// `Event.name` stays text: creatives may cause events of names that nobody has listed.
  package struct Name: RawRepresentable, Hashable, Sendable {
    /// Name as it stands in `events.ndjson`.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
  }

  /// Indicates if the event has this name, whatever its source.
  package func isNamed(_ name: Name) -> Bool { self.name == name.rawValue }

  /// Indicates if the event has one of these names, whatever its source.
  package func isOne(of names: Set<Name>) -> Bool { names.contains(Name(rawValue: name)) }
}

// Each name stands once, with the first source that logs it; `EventVocabulary` says who else does.

/// Calls over the bridge.
extension Event.Name {
  package static let addEventListener = Self(rawValue: "addEventListener")
  package static let removeEventListener = Self(rawValue: "removeEventListener")
  package static let expand = Self(rawValue: "expand")
  package static let resize = Self(rawValue: "resize")
  package static let close = Self(rawValue: "close")
  package static let unload = Self(rawValue: "unload")
  package static let open = Self(rawValue: "open")
  package static let useCustomClose = Self(rawValue: "useCustomClose")
  package static let setExpandProperties = Self(rawValue: "setExpandProperties")
  package static let setResizeProperties = Self(rawValue: "setResizeProperties")
  package static let setOrientationProperties = Self(rawValue: "setOrientationProperties")
  package static let playVideo = Self(rawValue: "playVideo")
  package static let storePicture = Self(rawValue: "storePicture")
  package static let createCalendarEvent = Self(rawValue: "createCalendarEvent")
  package static let initVpaid = Self(rawValue: "initVpaid")
  package static let vpaid = Self(rawValue: "vpaid")
  package static let supports = Self(rawValue: "supports")
  package static let isViewable = Self(rawValue: "isViewable")
  package static let getVersion = Self(rawValue: "getVersion")
  package static let getState = Self(rawValue: "getState")
  package static let getPlacementType = Self(rawValue: "getPlacementType")
  package static let getScreenSize = Self(rawValue: "getScreenSize")
  package static let getMaxSize = Self(rawValue: "getMaxSize")
  package static let getDefaultPosition = Self(rawValue: "getDefaultPosition")
  package static let getCurrentPosition = Self(rawValue: "getCurrentPosition")
  package static let getExpandProperties = Self(rawValue: "getExpandProperties")
  package static let getResizeProperties = Self(rawValue: "getResizeProperties")
  package static let getOrientationProperties = Self(rawValue: "getOrientationProperties")
  package static let getCurrentAppOrientation = Self(rawValue: "getCurrentAppOrientation")
  package static let getLocation = Self(rawValue: "getLocation")
}

/// Events that the host dispatches to the ad, and calls that came to nothing.
extension Event.Name {
  package static let ready = Self(rawValue: "ready")
  package static let stateChange = Self(rawValue: "stateChange")
  package static let sizeChange = Self(rawValue: "sizeChange")
  package static let viewableChange = Self(rawValue: "viewableChange")
  package static let exposureChange = Self(rawValue: "exposureChange")
  package static let audioVolumeChange = Self(rawValue: "audioVolumeChange")
  package static let error = Self(rawValue: "error")
  package static let ignored = Self(rawValue: "ignored")
  package static let premature = Self(rawValue: "premature")
}

/// Calls between a playable and its network.
extension Event.Name {
  package static let storeOpened = Self(rawValue: "storeOpened")
  package static let called = Self(rawValue: "called")
  package static let sent = Self(rawValue: "sent")
}

/// Transitions of the modal stack.
extension Event.Name {
  package static let push = Self(rawValue: "push")
  package static let reset = Self(rawValue: "reset")
  package static let popState = Self(rawValue: "popState")
  package static let clearStates = Self(rawValue: "clearStates")
}

/// Callbacks of the ad manager and notices of the auction.
extension Event.Name {
  package static let adLoaded = Self(rawValue: "adLoaded")
  package static let failedToLoad = Self(rawValue: "failedToLoad")
  package static let adDidDisplay = Self(rawValue: "adDidDisplay")
  package static let adDidComplete = Self(rawValue: "adDidComplete")
  package static let adWasClicked = Self(rawValue: "adWasClicked")
  package static let adViewWasClicked = Self(rawValue: "adViewWasClicked")
  package static let adDidExpand = Self(rawValue: "adDidExpand")
  package static let adDidCollapse = Self(rawValue: "adDidCollapse")
  package static let adDidClose = Self(rawValue: "adDidClose")
  package static let adDidLeaveApp = Self(rawValue: "adDidLeaveApp")
  package static let adClickthroughDidClose = Self(rawValue: "adClickthroughDidClose")
  package static let creativeDidDisplay = Self(rawValue: "creativeDidDisplay")
  package static let creativeDidComplete = Self(rawValue: "creativeDidComplete")
  package static let creativeWasClicked = Self(rawValue: "creativeWasClicked")
  package static let creativeViewWasClicked = Self(rawValue: "creativeViewWasClicked")
  package static let creativeClickthroughDidClose = Self(rawValue: "creativeClickthroughDidClose")
  package static let creativeInterstitialDidClose = Self(rawValue: "creativeInterstitialDidClose")
  package static let creativeInterstitialDidLeaveApp = Self(rawValue: "creativeInterstitialDidLeaveApp")
  package static let creativeFullScreenDidFinish = Self(rawValue: "creativeFullScreenDidFinish")
  package static let creativeShouldCloseModalState = Self(rawValue: "creativeShouldCloseModalState")
  package static let creativeDidUnload = Self(rawValue: "creativeDidUnload")
  package static let creativeShouldDisplayModalState = Self(rawValue: "creativeShouldDisplayModalState")
  package static let creativeMayBeClosed = Self(rawValue: "creativeMayBeClosed")
  package static let bidWon = Self(rawValue: "bidWon")
  package static let winNotice = Self(rawValue: "winNotice")
  package static let lossNotice = Self(rawValue: "lossNotice")
  package static let billingNotice = Self(rawValue: "billingNotice")
}

/// Events of a video ad.
extension Event.Name {
  package static let impression = Self(rawValue: "impression")
  package static let creativeView = Self(rawValue: "creativeView")
  package static let start = Self(rawValue: "start")
  package static let firstQuartile = Self(rawValue: "firstQuartile")
  package static let midpoint = Self(rawValue: "midpoint")
  package static let thirdQuartile = Self(rawValue: "thirdQuartile")
  package static let complete = Self(rawValue: "complete")
  package static let progress = Self(rawValue: "progress")
  package static let skippable = Self(rawValue: "skippable")
  package static let mute = Self(rawValue: "mute")
  package static let unmute = Self(rawValue: "unmute")
  package static let pause = Self(rawValue: "pause")
  package static let resume = Self(rawValue: "resume")
  package static let skip = Self(rawValue: "skip")
  package static let closeLinear = Self(rawValue: "closeLinear")
  package static let playerExpand = Self(rawValue: "playerExpand")
  package static let playerCollapse = Self(rawValue: "playerCollapse")
  package static let click = Self(rawValue: "click")
  package static let iconView = Self(rawValue: "iconView")
  package static let iconClick = Self(rawValue: "iconClick")
  package static let iconFailed = Self(rawValue: "iconFailed")
  package static let companionView = Self(rawValue: "companionView")
  package static let companionClick = Self(rawValue: "companionClick")
  package static let nativeImpression = Self(rawValue: "nativeImpression")
  package static let nativeClick = Self(rawValue: "nativeClick")
  package static let `break` = Self(rawValue: "break")
  package static let breakStart = Self(rawValue: "breakStart")
  package static let breakEnd = Self(rawValue: "breakEnd")
  package static let ad = Self(rawValue: "ad")
  package static let wrapper = Self(rawValue: "wrapper")
  package static let flaw = Self(rawValue: "flaw")
  package static let departure = Self(rawValue: "departure")
  package static let verificationNotExecuted = Self(rawValue: "verificationNotExecuted")
  package static let viewUndetermined = Self(rawValue: "viewUndetermined")
  package static let nonLinear = Self(rawValue: "nonLinear")
  package static let reportTracking = Self(rawValue: "reportTracking")
  package static let adExpand = Self(rawValue: "adExpand")
  package static let adCollapse = Self(rawValue: "adCollapse")
}

/// Events of an Open Measurement session.
extension Event.Name {
  package static let sessionStart = Self(rawValue: "sessionStart")
  package static let loaded = Self(rawValue: "loaded")
  package static let geometryChange = Self(rawValue: "geometryChange")
  package static let bufferStart = Self(rawValue: "bufferStart")
  package static let bufferFinish = Self(rawValue: "bufferFinish")
  package static let skipped = Self(rawValue: "skipped")
  package static let volumeChange = Self(rawValue: "volumeChange")
  package static let playerStateChange = Self(rawValue: "playerStateChange")
  package static let adUserInteraction = Self(rawValue: "adUserInteraction")
  package static let sessionError = Self(rawValue: "sessionError")
  package static let sessionFinish = Self(rawValue: "sessionFinish")
  package static let registerSessionObserver = Self(rawValue: "registerSessionObserver")
  package static let inject = Self(rawValue: "inject")
  package static let scriptLoaded = Self(rawValue: "scriptLoaded")
  package static let scriptFailed = Self(rawValue: "scriptFailed")
  package static let listenerError = Self(rawValue: "listenerError")
  package static let scriptError = Self(rawValue: "scriptError")
  package static let sessionClient = Self(rawValue: "sessionClient")
}

/// Messages of an interactive creative and its player.
extension Event.Name {
  package static let createSession = Self(rawValue: "createSession")
  /// First message of a player to its creative; `init` itself would read as an initializer.
  package static let initialize = Self(rawValue: "init")
  package static let startCreative = Self(rawValue: "startCreative")
  package static let adSkipped = Self(rawValue: "adSkipped")
  package static let adStopped = Self(rawValue: "adStopped")
  package static let appBackgrounded = Self(rawValue: "appBackgrounded")
  package static let appForegrounded = Self(rawValue: "appForegrounded")
  package static let fatalError = Self(rawValue: "fatalError")
  package static let log = Self(rawValue: "log")
  package static let resolve = Self(rawValue: "resolve")
  package static let reject = Self(rawValue: "reject")
  package static let visible = Self(rawValue: "visible")
  package static let unloaded = Self(rawValue: "unloaded")
  package static let extended = Self(rawValue: "extended")
  package static let timeout = Self(rawValue: "timeout")
  package static let refused = Self(rawValue: "refused")
  package static let clickThru = Self(rawValue: "clickThru")
  package static let expandNonlinear = Self(rawValue: "expandNonlinear")
  package static let collapseNonlinear = Self(rawValue: "collapseNonlinear")
  package static let getMediaState = Self(rawValue: "getMediaState")
  package static let requestChangeAdDuration = Self(rawValue: "requestChangeAdDuration")
  package static let requestChangeVolume = Self(rawValue: "requestChangeVolume")
  package static let requestFullscreen = Self(rawValue: "requestFullscreen")
  package static let requestExitFullscreen = Self(rawValue: "requestExitFullscreen")
  package static let requestNavigation = Self(rawValue: "requestNavigation")
  package static let requestPause = Self(rawValue: "requestPause")
  package static let requestPlay = Self(rawValue: "requestPlay")
  package static let requestResize = Self(rawValue: "requestResize")
  package static let requestSkip = Self(rawValue: "requestSkip")
  package static let requestStop = Self(rawValue: "requestStop")
  package static let durationchange = Self(rawValue: "durationchange")
  package static let ended = Self(rawValue: "ended")
  package static let play = Self(rawValue: "play")
  package static let playing = Self(rawValue: "playing")
  package static let seeked = Self(rawValue: "seeked")
  package static let seeking = Self(rawValue: "seeking")
  package static let stalled = Self(rawValue: "stalled")
  package static let timeupdate = Self(rawValue: "timeupdate")
  package static let volumechange = Self(rawValue: "volumechange")
}

/// Events of the app's feed.
extension Event.Name {
  package static let posts = Self(rawValue: "posts")
  package static let decision = Self(rawValue: "decision")
  package static let adRequested = Self(rawValue: "adRequested")
  package static let adLoading = Self(rawValue: "adLoading")
  package static let adLost = Self(rawValue: "adLost")
  package static let adPromise = Self(rawValue: "adPromise")
  package static let requestSent = Self(rawValue: "requestSent")
  package static let requestSucceeded = Self(rawValue: "requestSucceeded")
  package static let requestFailed = Self(rawValue: "requestFailed")
  package static let requests = Self(rawValue: "requests")
  package static let indicatorShown = Self(rawValue: "indicatorShown")
  package static let indicatorHidden = Self(rawValue: "indicatorHidden")
  package static let collapsed = Self(rawValue: "collapsed")
  package static let scrollOffsetPreserved = Self(rawValue: "scrollOffsetPreserved")
  package static let rotationStarted = Self(rawValue: "rotationStarted")
  package static let rotated = Self(rawValue: "rotated")
  package static let rotationStopped = Self(rawValue: "rotationStopped")
  package static let notificationSeen = Self(rawValue: "notificationSeen")
  package static let notificationDismissed = Self(rawValue: "notificationDismissed")
  package static let notificationFollowed = Self(rawValue: "notificationFollowed")
}

/// Events of the document and its engine.
extension Event.Name {
  package static let loadFinished = Self(rawValue: "loadFinished")
  package static let loadFailed = Self(rawValue: "loadFailed")
  package static let console = Self(rawValue: "console")
  package static let exception = Self(rawValue: "exception")
  package static let rejection = Self(rawValue: "rejection")
  package static let violation = Self(rawValue: "violation")
  package static let storage = Self(rawValue: "storage")
  package static let consent = Self(rawValue: "consent")
  package static let socket = Self(rawValue: "socket")
  package static let dialog = Self(rawValue: "dialog")
  package static let navigation = Self(rawValue: "navigation")
  package static let popup = Self(rawValue: "popup")
  package static let permission = Self(rawValue: "permission")
  package static let download = Self(rawValue: "download")
  package static let fullScreen = Self(rawValue: "fullScreen")
  package static let print = Self(rawValue: "print")
  package static let fileChooser = Self(rawValue: "fileChooser")
  package static let authentication = Self(rawValue: "authentication")
  package static let webProcessEnded = Self(rawValue: "webProcessEnded")
}

/// Requests.
extension Event.Name {
  package static let resource = Self(rawValue: "resource")
}

/// Touches and keys.
extension Event.Name {
  package static let tap = Self(rawValue: "tap")
  package static let press = Self(rawValue: "press")
  package static let swipe = Self(rawValue: "swipe")
  package static let type = Self(rawValue: "type")
  package static let choose = Self(rawValue: "choose")
}

/// Actions of the app and of the person outside the ad.
extension Event.Name {
  package static let load = Self(rawValue: "load")
  package static let closeDelayed = Self(rawValue: "closeDelayed")
  package static let closeShown = Self(rawValue: "closeShown")
  package static let rotate = Self(rawValue: "rotate")
  package static let orientation = Self(rawValue: "orientation")
  package static let background = Self(rawValue: "background")
  package static let foreground = Self(rawValue: "foreground")
  package static let volume = Self(rawValue: "volume")
  package static let scroll = Self(rawValue: "scroll")
  package static let launch = Self(rawValue: "launch")
  package static let advance = Self(rawValue: "advance")
  package static let update = Self(rawValue: "update")
  package static let register = Self(rawValue: "register")
  package static let failNextRequest = Self(rawValue: "failNextRequest")
  package static let offline = Self(rawValue: "offline")
  package static let online = Self(rawValue: "online")
  package static let playVideoFailed = Self(rawValue: "playVideoFailed")
  package static let loadSecondPart = Self(rawValue: "loadSecondPart")
  package static let addressRefused = Self(rawValue: "addressRefused")
  package static let settled = Self(rawValue: "settled")
  package static let screenshot = Self(rawValue: "screenshot")
  package static let screenshotFailed = Self(rawValue: "screenshotFailed")
  package static let failure = Self(rawValue: "failure")
  package static let logTruncated = Self(rawValue: "logTruncated")
}
