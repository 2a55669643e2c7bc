/** What is wrong with a storage, as far as rclone's own words tell. */
export interface Fault {
  readonly kind:
    | 'host_key_changed'
    | 'login_refused'
    | 'no_bucket'
    | 'certificate'
    | 'disk_full'
    | 'no_permission'
    | 'unreachable'
  /** Without a full stop at its end, as messages of errors are. */
  readonly message: string
  /** Whether the same may succeed later without anyone changing anything. */
  readonly isPassing: boolean
}

interface Known extends Fault {
  readonly words: RegExp
}

const permanent = (kind: Fault['kind'], words: RegExp, message: string): Known => ({
  kind,
  words,
  message,
  isPassing: false,
})

/** In this order: a refused login also has the status of a missing permission. */
const KNOWN: readonly Known[] = [
  permanent(
    'host_key_changed',
    /knownhosts: key (?:mismatch|is unknown)/i,
    'The server presents another host key than the one that is trusted, so nothing was sent to it. Check with its owner, then enter the new key, or clear it to trust the next one',
  ),
  permanent(
    'login_refused',
    /unable to authenticate|InvalidAccessKeyId|SignatureDoesNotMatch|InvalidClientTokenId|Malformed Access Key Id|Invalid credentials|401 Unauthorized|\bUnauthorized\b.*\b401\b|status code: 401/i,
    'The storage refused the login. Check the username or key id, and the password or key',
  ),
  permanent(
    'no_bucket',
    /NoSuchBucket|specified bucket does not exist|bucket not found/i,
    'There is no such bucket. Check its name and region',
  ),
  permanent(
    'certificate',
    /x509: |tls: failed to verify certificate/i,
    'The certificate of the storage is not trusted. Check its address, or renew the certificate there',
  ),
  permanent(
    'disk_full',
    /no space left on device|disk quota exceeded|quota ?exceeded|Insufficient Storage|\b507\b/i,
    'The storage is full. Free some space there, or keep fewer copies',
  ),
  permanent(
    'no_permission',
    /permission denied|AccessDenied|Access Denied|SSH_FX_PERMISSION_DENIED|403 Forbidden|status code: 403|\bForbidden\b|read-only file system/i,
    'The storage does not let this account do that. Check its rights to list, write and delete in the folder',
  ),
  {
    kind: 'unreachable',
    words:
      /no such host|server misbehaving|connection refused|connection reset|i\/o timeout|TLS handshake timeout|no route to host|network is unreachable|context deadline exceeded|\b50[234] |Service ?Unavailable|SlowDown|unexpected EOF|connection lost/i,
    message: "The storage can't be reached. Check its address, and whether it is online",
    isPassing: true,
  },
]

/** Undefined for what is not known: then only its exit code and its own words are left. */
export const findFault = (output: string): Fault | undefined => {
  const known = KNOWN.find(({ words }) => words.test(output))
  return known && { kind: known.kind, message: known.message, isPassing: known.isPassing }
}
