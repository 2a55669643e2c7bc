/** The rings of tests, from the fastest to the slowest. */
export const RINGS = ['unit', 'slow', 'fleet', 'journeys', 'soak'] as const
export type Ring = (typeof RINGS)[number]

/** A name server that takes updates, and the tool that sends them. */
const NAME_SERVER = ['knot', 'knot-dnsutils']

/** It speaks S3. */
const OBJECT_STORAGE = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached']

/** What people transfer files with, next to curl and sftp. */
const FTP_CLIENTS = ['lftp', 'rclone']

/** Real servers on this machine. */
const FLEET = [
  'busybox',
  'docker.io',
  'openssl',
  'pebble',
  'postgresql',
  'iptables',
  'nftables',
  'iproute2',
  'mmdebstrap',
  'openssh-client',
  ...NAME_SERVER,
  'curl',
  ...FTP_CLIENTS,
]

/** What each ring needs from Debian, by package name; only what is missing is installed. */
export const PACKAGES: Record<Ring, string[]> = {
  unit: [
    'postgresql',
    'busybox',
    'openssl',
    'zsh',
    'systemd',
    'openssh-server',
    'openssh-client',
    'sudo',
    ...NAME_SERVER,
  ],
  slow: ['postgresql'],
  fleet: FLEET,
  journeys: ['chromium-headless-shell', ...FLEET],
  soak: OBJECT_STORAGE,
}
