// The creative's side of SIMID: a session with the player, whose messages are numbered from 0 and answered by number.
const simid = (() => {
  const session = crypto.randomUUID();
  const asked = new Map();
  const heard = new Map();
  let next = 0;
  const post = (type, args) => {
    const messageId = next;
    next += 1;
    parent.postMessage(JSON.stringify({ sessionId: session, messageId, timestamp: Date.now(), type, args }), "*");
    return messageId;
  };
  addEventListener("message", (event) => {
    if (event.source !== parent || typeof event.data !== "string") return;
    const message = JSON.parse(event.data);
    if (message.sessionId !== session) return;
    if (message.type === "resolve" || message.type === "reject") {
      asked.get(message.args.messageId)?.[message.type](message.args.value);
      asked.delete(message.args.messageId);
    } else {
      heard.get(message.type)?.(message.args, {
        resolve: (value) => post("resolve", { messageId: message.messageId, value }),
        reject: (value) => post("reject", { messageId: message.messageId, value }),
      });
    }
  });
  const ask = (type, args) => new Promise((resolve, reject) => asked.set(post(type, args), { resolve, reject }));
  return {
    begin: () => ask("createSession"),
    // Hears messages such as `Player:init`; what is to be answered is, by the second argument.
    on: (name, hear) => heard.set(`SIMID:${name}`, hear),
    // Asks the player for something, as `requestPause`.
    ask: (name, args) => ask(`SIMID:Creative:${name}`, args),
    tell: (name, args) => { post(`SIMID:Creative:${name}`, args); },
  };
})();
