// Plays a film that isn't there, by their session client: every call it has, in the order in which a player makes them.
(() => {
  const { AdSession, AdEvents, MediaEvents, Context, Partner, VastProperties } = window.OmidSessionClient;
  const play = (serviceWindow) => {
    const context = new Context(new Partner("Ours", "2.0"), null, "https://content.example/", null);
    if (serviceWindow) context.setServiceWindow(serviceWindow);
    const session = new AdSession(context);
    console.log(`omid-case ${900} 1/1 ${JSON.stringify({ client: session.isSupported() })}`);
    const ad = new AdEvents(session);
    const media = new MediaEvents(session);
    session.setCreativeType("video");
    session.setImpressionType("loaded");
    ad.loaded(new VastProperties(true, 5, true, "preroll"));
    session.registerSessionObserver(({ type }) => {
      if (type !== "sessionStart") return;
      // Their client knows of the start by an observer of its own.
      setTimeout(() => {
        ad.impressionOccurred();
        media.start(10, 1);
        for (const name of ["firstQuartile", "midpoint"]) media[name]();
        media.volumeChange(0.5);
        media.playerStateChange("fullscreen");
        media.adUserInteraction("click");
        for (const name of ["bufferStart", "bufferFinish", "pause", "resume", "thirdQuartile", "complete", "skipped"]) media[name]();
        session.error("media", "it broke");
        session.finish();
      }, 0);
    });
  };
  if (window.top === window) play();
  else window.OmidSessionClient.listenForServiceWindow(play);
})();
