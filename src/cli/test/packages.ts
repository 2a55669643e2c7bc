/** The rings of tests, from the fastest to the slowest. */
export const RINGS = ['unit', 'slow', 'fleet', 'journeys', 'soak'] as const
export type Ring = (typeof RINGS)[number]

/** What each ring needs from Debian, by package name; only what is missing is installed. */
export const PACKAGES: Record<Ring, string[]> = {
  unit: ['postgresql', 'busybox', 'openssl', 'zsh', 'systemd'],
  slow: ['postgresql'],
  fleet: ['docker.io', 'iptables', 'nftables', 'iproute2', 'mmdebstrap'],
  journeys: ['chromium'],
  soak: [],
}
