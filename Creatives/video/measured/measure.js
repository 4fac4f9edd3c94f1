// Measuring code as a vendor has it, with a client of its own: it speaks to the app's Open Measurement service by
// messages, logs what it hears, and at the end what it counted.
(() => {
  const { serviceWindow, injectionId } = window.omidVerificationProperties ?? {};
  const service = serviceWindow ?? window.top;
  const listeners = new Map();
  const heard = [];
  let inView = 0;

  addEventListener("message", ({ source, data }) => {
    if (source !== service || data?.omid_message_method !== "response") return;
    listeners.get(data.omid_message_guid)?.(...data.omid_message_args);
  });
  const ask = (method, words, hear) => {
    const guid = `measure-${listeners.size}`;
    listeners.set(guid, hear);
    service.postMessage({
      omid_message_guid: guid, omid_message_method: `VerificationService.${method}`, omid_message_version: "1.6.0",
      omid_message_args: words,
    }, "*");
  };

  const hear = ({ type, data }) => {
    heard.push(type);
    if (type === "impression" || type === "geometryChange") inView = data.adView.percentageInView;
    if (type === "sessionStart") {
      const { context, verificationParameters } = data;
      console.log(`measuring ${context.adSessionType} in ${context.environment}, ${context.accessMode}: ${verificationParameters}`);
    }
    if (type === "sessionFinish") console.log(`measured ${heard.join(" ")}, ${inView} % in view`);
  };
  ask("addSessionListener", ["kestrel.example-omid", injectionId], hear);
  for (const type of ["impression", "geometryChange", "media"]) ask("addEventListener", [type, injectionId], hear);
})();
