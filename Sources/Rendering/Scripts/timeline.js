// What the page's own timeline tells of its load: the body of a function, in a world where the built-ins are untouched.
const [navigation] = performance.getEntriesByType("navigation");
const instant = (value) => (value > 0 ? value : undefined);
return {
  origin: performance.timeOrigin,
  domContentLoaded: instant(navigation?.domContentLoadedEventStart),
  complete: instant(navigation?.domComplete),
  windowLoad: instant(navigation?.loadEventStart),
  resources: performance.getEntriesByType("resource").slice(0, 1000).map((entry) => ({
    url: entry.name, initiator: entry.initiatorType || undefined, start: entry.startTime,
    encoded: instant(entry.encodedBodySize), decoded: instant(entry.decodedBodySize),
  })),
};
