// Measuring code that listens to the session only; the exchange's own.
addEventListener("message", ({ data }) => {
  const [event] = data?.omid_message_args ?? [];
  if (event) console.log(`counter: ${event.type} ${event.data.verificationParameters ?? ""}`);
});
omidVerificationProperties.serviceWindow.postMessage({
  omid_message_guid: "counter-1", omid_message_method: "VerificationService.addSessionListener",
  omid_message_version: "1.6.0", omid_message_args: ["exchange.example-omid", omidVerificationProperties.injectionId],
}, "*");
