internal import NIOSSL
internal import Recordings
internal import X509
