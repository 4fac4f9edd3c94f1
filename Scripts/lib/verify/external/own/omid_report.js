// Listens by their verification client and logs all that comes, in lines that a console has room for.
(() => {
  let count = 0;
  const log = (value) => {
    const text = JSON.stringify(value);
    const parts = text.match(/[^]{1,1200}/g);
    count += 1;
    parts.forEach((part, place) => console.log(`omid-case ${count} ${place + 1}/${parts.length} ${part}`));
  };
  const client = new window.OmidVerificationClient();
  log({ supported: client.isSupported(), environment: client.getEnvironment() });
  client.registerSessionObserver(log, "ours.example-omid");
  for (const type of ["impression", "geometryChange", "media"]) client.addEventListener(type, log);

  const extras = { timeout: 0, interval: 0, late: [] };
  client.setTimeout(() => { extras.timeout += 1; }, 10);
  const interval = client.setInterval(() => {
    extras.interval += 1;
    if (extras.interval === 2) client.clearInterval(interval);
  }, 10);
  client.attest({ mechanism: "ours", payload: {} }, (...answer) => { extras.attest = answer; });
  client.sendUrl("https://gone.example/", () => { extras.url = "loaded"; }, () => { extras.url = "failed"; });
  client.injectJavaScriptResource("data:text/javascript,0", () => { extras.injected = "loaded"; }, () => { extras.injected = "failed"; });
  client.addEventListener("geometryChange", () => {
    if (extras.isDone) return;
    extras.isDone = true;
    setTimeout(() => {
      // Who comes late is told what went before.
      const late = new window.OmidVerificationClient();
      late.registerSessionObserver(({ type }) => extras.late.push(type), "late");
      late.addEventListener("impression", ({ type }) => extras.late.push(type));
      setTimeout(() => log({ extras }), 200);
    }, 200);
  });
})();
