package import AdExperience

/// Names a web view whose pictures go onto the stage: the ad manager's own names, so that nothing is translated.
package typealias ViewID = AdViewID
