#include "CNats.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

// The library is loaded when somebody connects, so that nothing else needs it to be installed. It is the one of the
// headers, since structures differ from one version to the next.

#define TEXT(number) #number
#define NAME(major, minor) "libnats.so." TEXT(major) "." TEXT(minor)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *library;

static void load(void) {
  library = dlopen(NAME(NATS_VERSION_MAJOR, NATS_VERSION_MINOR), RTLD_NOW | RTLD_LOCAL);
}

const char *galley_nats_library(void) {
  return NAME(NATS_VERSION_MAJOR, NATS_VERSION_MINOR);
}

int galley_nats_is_there(void) {
  pthread_once(&once, load);
  return library != NULL;
}

static void *find(const char *name) {
  void *call = galley_nats_is_there() ? dlsym(library, name) : NULL;
  // Nobody calls it before a connection was made, and every library of this version has it.
  if (!call) abort();
  return call;
}

// A pointer that two threads find at once is the same.
#define FOUND(name)                                                    \
  static void *found;                                                  \
  void *call = __atomic_load_n(&found, __ATOMIC_RELAXED);              \
  if (!call) __atomic_store_n(&found, call = find(#name), __ATOMIC_RELAXED);

#define CALL(result, name, parameters, arguments) \
  result name parameters {                        \
    FOUND(name)                                   \
    return ((__typeof__(&name))call)arguments;    \
  }

#define RUN(name, parameters, arguments)    \
  void name parameters {                    \
    FOUND(name)                             \
    ((__typeof__(&name))call)arguments;     \
  }

CALL(natsStatus, jsConsumerConfig_Init, (jsConsumerConfig *cc), (cc))
RUN(jsConsumerInfo_Destroy, (jsConsumerInfo *ci), (ci))
RUN(jsCtx_Destroy, (jsCtx *js), (js))
CALL(natsStatus, jsDirectGetMsgOptions_Init, (jsDirectGetMsgOptions *opts), (opts))
CALL(natsStatus, jsOptions_Init, (jsOptions *opts), (opts))
RUN(jsPubAck_Destroy, (jsPubAck *pubAck), (pubAck))
CALL(natsStatus, jsPubOptions_Init, (jsPubOptions *opts), (opts))
CALL(natsStatus, jsStreamConfig_Init, (jsStreamConfig *cfg), (cfg))
RUN(jsStreamInfo_Destroy, (jsStreamInfo *si), (si))
CALL(natsStatus, jsSubOptions_Init, (jsSubOptions *opts), (opts))
CALL(natsStatus, js_AddConsumer,
     (jsConsumerInfo **ci, jsCtx *js, const char *stream, jsConsumerConfig *cfg, jsOptions *opts, jsErrCode *errCode),
     (ci, js, stream, cfg, opts, errCode))
CALL(natsStatus, js_AddStream,
     (jsStreamInfo **si, jsCtx *js, jsStreamConfig *cfg, jsOptions *opts, jsErrCode *errCode),
     (si, js, cfg, opts, errCode))
CALL(natsStatus, js_CreateKeyValue, (kvStore **new_kv, jsCtx *js, kvConfig *cfg), (new_kv, js, cfg))
CALL(natsStatus, js_DeleteMsg,
     (jsCtx *js, const char *stream, uint64_t seq, jsOptions *opts, jsErrCode *errCode),
     (js, stream, seq, opts, errCode))
CALL(natsStatus, js_DeleteStream,
     (jsCtx *js, const char *stream, jsOptions *opts, jsErrCode *errCode),
     (js, stream, opts, errCode))
CALL(natsStatus, js_DirectGetMsg,
     (natsMsg **msg, jsCtx *js, const char *stream, jsOptions *opts, jsDirectGetMsgOptions *dgOpts),
     (msg, js, stream, opts, dgOpts))
CALL(natsStatus, js_GetConsumerInfo,
     (jsConsumerInfo **ci, jsCtx *js, const char *stream, const char *consumer, jsOptions *opts, jsErrCode *errCode),
     (ci, js, stream, consumer, opts, errCode))
CALL(natsStatus, js_GetLastMsg,
     (natsMsg **msg, jsCtx *js, const char *stream, const char *subject, jsOptions *opts, jsErrCode *errCode),
     (msg, js, stream, subject, opts, errCode))
CALL(natsStatus, js_GetStreamInfo,
     (jsStreamInfo **si, jsCtx *js, const char *stream, jsOptions *opts, jsErrCode *errCode),
     (si, js, stream, opts, errCode))
CALL(natsStatus, js_KeyValue, (kvStore **new_kv, jsCtx *js, const char *bucket), (new_kv, js, bucket))
CALL(natsStatus, js_PublishMsg,
     (jsPubAck **pubAck, jsCtx *js, natsMsg *msg, jsPubOptions *opts, jsErrCode *errCode),
     (pubAck, js, msg, opts, errCode))
CALL(natsStatus, js_PurgeStream,
     (jsCtx *js, const char *stream, jsOptions *opts, jsErrCode *errCode),
     (js, stream, opts, errCode))
CALL(natsStatus, js_SubscribeSync,
     (natsSubscription **sub, jsCtx *js, const char *subject, jsOptions *opts, jsSubOptions *subOpts, jsErrCode *code),
     (sub, js, subject, opts, subOpts, code))
CALL(natsStatus, js_UpdateStream,
     (jsStreamInfo **si, jsCtx *js, jsStreamConfig *cfg, jsOptions *opts, jsErrCode *errCode),
     (si, js, cfg, opts, errCode))
CALL(natsStatus, kvConfig_Init, (kvConfig *cfg), (cfg))
CALL(int64_t, kvEntry_Created, (kvEntry *e), (e))
RUN(kvEntry_Destroy, (kvEntry *e), (e))
CALL(const char*, kvEntry_Key, (kvEntry *e), (e))
CALL(kvOperation, kvEntry_Operation, (kvEntry *e), (e))
CALL(uint64_t, kvEntry_Revision, (kvEntry *e), (e))
CALL(const void*, kvEntry_Value, (kvEntry *e), (e))
CALL(int, kvEntry_ValueLen, (kvEntry *e), (e))
RUN(kvKeysList_Destroy, (kvKeysList *list), (list))
CALL(natsStatus, kvStore_Create,
     (uint64_t *rev, kvStore *kv, const char *key, const void *data, int len),
     (rev, kv, key, data, len))
RUN(kvStore_Destroy, (kvStore *kv), (kv))
CALL(natsStatus, kvStore_Keys, (kvKeysList *list, kvStore *kv, kvWatchOptions *opts), (list, kv, opts))
CALL(natsStatus, kvStore_Purge, (kvStore *kv, const char *key, kvPurgeOptions *opts), (kv, key, opts))
CALL(natsStatus, kvStore_Put,
     (uint64_t *rev, kvStore *kv, const char *key, const void *data, int len),
     (rev, kv, key, data, len))
CALL(natsStatus, kvStore_Update,
     (uint64_t *rev, kvStore *kv, const char *key, const void *data, int len, uint64_t last),
     (rev, kv, key, data, len, last))
CALL(natsStatus, kvStore_Watch,
     (kvWatcher **new_watcher, kvStore *kv, const char *keys, kvWatchOptions *opts),
     (new_watcher, kv, keys, opts))
CALL(natsStatus, kvWatchOptions_Init, (kvWatchOptions *opts), (opts))
RUN(kvWatcher_Destroy, (kvWatcher *w), (w))
CALL(natsStatus, kvWatcher_Next, (kvEntry **new_entry, kvWatcher *w, int64_t timeout), (new_entry, w, timeout))
RUN(natsConnection_Close, (natsConnection *nc), (nc))
CALL(natsStatus, natsConnection_Connect, (natsConnection **nc, natsOptions *options), (nc, options))
RUN(natsConnection_Destroy, (natsConnection *nc), (nc))
CALL(natsStatus, natsConnection_FlushTimeout, (natsConnection *nc, int64_t timeout), (nc, timeout))
CALL(natsStatus, natsConnection_GetConnectedUrl,
     (natsConnection *nc, char *buffer, size_t bufferSize),
     (nc, buffer, bufferSize))
CALL(int64_t, natsConnection_GetMaxPayload, (natsConnection *nc), (nc))
CALL(natsStatus, natsConnection_JetStream, (jsCtx **js, natsConnection *nc, jsOptions *opts), (js, nc, opts))
CALL(natsStatus, natsConnection_PublishMsg, (natsConnection *nc, natsMsg *msg), (nc, msg))
CALL(natsStatus, natsConnection_QueueSubscribeSync,
     (natsSubscription **sub, natsConnection *nc, const char *subject, const char *queueGroup),
     (sub, nc, subject, queueGroup))
CALL(natsStatus, natsConnection_RequestMsg,
     (natsMsg **replyMsg, natsConnection *nc, natsMsg *requestMsg, int64_t timeout),
     (replyMsg, nc, requestMsg, timeout))
CALL(natsConnStatus, natsConnection_Status, (natsConnection *nc), (nc))
CALL(natsStatus, natsConnection_SubscribeSync,
     (natsSubscription **sub, natsConnection *nc, const char *subject),
     (sub, nc, subject))
CALL(natsStatus, natsInbox_Create, (natsInbox **newInbox), (newInbox))
RUN(natsInbox_Destroy, (natsInbox *inbox), (inbox))
CALL(natsStatus, natsMsgHeader_Get, (natsMsg *msg, const char *key, const char **value), (msg, key, value))
CALL(natsStatus, natsMsgHeader_Keys, (natsMsg *msg, const char* **keys, int *count), (msg, keys, count))
CALL(natsStatus, natsMsgHeader_Set, (natsMsg *msg, const char *key, const char *value), (msg, key, value))
CALL(natsStatus, natsMsg_Create,
     (natsMsg **newMsg, const char *subj, const char *reply, const char *data, int dataLen),
     (newMsg, subj, reply, data, dataLen))
RUN(natsMsg_Destroy, (natsMsg *msg), (msg))
CALL(const char*, natsMsg_GetData, (const natsMsg *msg), (msg))
CALL(int, natsMsg_GetDataLength, (const natsMsg *msg), (msg))
CALL(const char*, natsMsg_GetReply, (const natsMsg *msg), (msg))
CALL(uint64_t, natsMsg_GetSequence, (natsMsg *msg), (msg))
CALL(const char*, natsMsg_GetSubject, (const natsMsg *msg), (msg))
CALL(int64_t, natsMsg_GetTime, (natsMsg *msg), (msg))
CALL(natsStatus, natsOptions_Create, (natsOptions **newOpts), (newOpts))
RUN(natsOptions_Destroy, (natsOptions *opts), (opts))
CALL(natsStatus, natsOptions_LoadCATrustedCertificates, (natsOptions *opts, const char *fileName), (opts, fileName))
CALL(natsStatus, natsOptions_LoadCertificatesChain,
     (natsOptions *opts, const char *certsFileName, const char *keyFileName),
     (opts, certsFileName, keyFileName))
CALL(natsStatus, natsOptions_SetClosedCB,
     (natsOptions *opts, natsConnectionHandler closedCb, void *closure),
     (opts, closedCb, closure))
CALL(natsStatus, natsOptions_SetCustomInboxPrefix,
     (natsOptions *opts, const char *inboxPrefix),
     (opts, inboxPrefix))
CALL(natsStatus, natsOptions_SetDisconnectedCB,
     (natsOptions *opts, natsConnectionHandler disconnectedCb, void *closure),
     (opts, disconnectedCb, closure))
CALL(natsStatus, natsOptions_SetErrorHandler,
     (natsOptions *opts, natsErrHandler errHandler, void *closure),
     (opts, errHandler, closure))
CALL(natsStatus, natsOptions_SetFailRequestsOnDisconnect,
     (natsOptions *opts, bool failRequests),
     (opts, failRequests))
CALL(natsStatus, natsOptions_SetMaxPingsOut, (natsOptions *opts, int maxPingsOut), (opts, maxPingsOut))
CALL(natsStatus, natsOptions_SetMaxReconnect, (natsOptions *opts, int maxReconnect), (opts, maxReconnect))
CALL(natsStatus, natsOptions_SetNKeyFromSeed,
     (natsOptions *opts, const char *pubKey, const char *seedFile),
     (opts, pubKey, seedFile))
CALL(natsStatus, natsOptions_SetName, (natsOptions *opts, const char *name), (opts, name))
CALL(natsStatus, natsOptions_SetPingInterval, (natsOptions *opts, int64_t interval), (opts, interval))
CALL(natsStatus, natsOptions_SetReconnectBufSize, (natsOptions *opts, int reconnectBufSize), (opts, reconnectBufSize))
CALL(natsStatus, natsOptions_SetReconnectJitter,
     (natsOptions *opts, int64_t jitter, int64_t jitterTLS),
     (opts, jitter, jitterTLS))
CALL(natsStatus, natsOptions_SetReconnectWait, (natsOptions *opts, int64_t reconnectWait), (opts, reconnectWait))
CALL(natsStatus, natsOptions_SetReconnectedCB,
     (natsOptions *opts, natsConnectionHandler reconnectedCb, void *closure),
     (opts, reconnectedCb, closure))
CALL(natsStatus, natsOptions_SetSecure, (natsOptions *opts, bool secure), (opts, secure))
CALL(natsStatus, natsOptions_SetServers,
     (natsOptions *opts, const char** servers, int serversCount),
     (opts, servers, serversCount))
CALL(natsStatus, natsOptions_SetTimeout, (natsOptions *opts, int64_t timeout), (opts, timeout))
CALL(natsStatus, natsOptions_SetUserCredentialsFromFiles,
     (natsOptions *opts, const char *userOrChainedFile, const char *seedFile),
     (opts, userOrChainedFile, seedFile))
CALL(natsStatus, natsOptions_SetWriteDeadline, (natsOptions *opts, int64_t deadline), (opts, deadline))
CALL(const char*, natsStatus_GetText, (natsStatus s), (s))
RUN(natsSubscription_Destroy, (natsSubscription *sub), (sub))
CALL(natsStatus, natsSubscription_NextMsg,
     (natsMsg **nextMsg, natsSubscription *sub, int64_t timeout),
     (nextMsg, sub, timeout))
CALL(natsStatus, natsSubscription_SetPendingLimits,
     (natsSubscription *sub, int msgLimit, int bytesLimit),
     (sub, msgLimit, bytesLimit))
CALL(const char*, nats_GetLastError, (natsStatus *status), (status))
