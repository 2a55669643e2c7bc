const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** On every answer. `no-store` is replaced by the static files, whose names change with their content. */
const SECURITY_HEADERS: Record<string, string> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'cache-control': 'no-store',
}

/** Only once people reach the panel over TLS: on plain localhost it would lock them out. */
const STRICT_TRANSPORT: Record<string, string> = { 'strict-transport-security': 'max-age=31536000' }

export const securityHeaders = (publicUrl: string): Record<string, string> => ({
  ...SECURITY_HEADERS,
  ...(publicUrl.startsWith('https:') ? STRICT_TRANSPORT : {}),
})
