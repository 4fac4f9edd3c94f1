// What the page's own timeline tells of its load: the body of a function, in a world where the built-ins are untouched.
const [navigation] = performance.getEntriesByType("navigation");
// The older timeline counts from 1970 and so tells what hasn't happened from what happened at once.
const instant = (name) => (performance.timing[name] > 0 ? navigation?.[name] : undefined);
const known = (value) => (value > 0 ? value : undefined);
return {
  origin: performance.timeOrigin,
  domContentLoaded: instant("domContentLoadedEventStart"),
  complete: instant("domComplete"),
  windowLoad: instant("loadEventStart"),
  firstPaint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
  resources: performance.getEntriesByType("resource").slice(0, 1000).map((entry) => ({
    url: entry.name, initiator: entry.initiatorType || undefined, start: entry.startTime,
    encoded: known(entry.encodedBodySize), decoded: known(entry.decodedBodySize),
  })),
};
