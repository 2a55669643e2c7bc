const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const NETWORK_GROUPS = 4
const ALL_GROUPS = 8

/**
 * Whom an address stands for when requests are counted: itself, or for IPv6 its /64, which one machine usually has for
 * itself alone and could otherwise walk through.
 */
export const addressGroup = (address: string): string => {
  const mapped = MAPPED.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(':')) return address
  const [head = '', tail] = address.toLowerCase().split('%', 1).join('').split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, ALL_GROUPS - first.length - last.length) }, () => '0')
  const groups = tail === undefined ? first : [...first, ...zeros, ...last]
  return `${groups
    .slice(0, NETWORK_GROUPS)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1)$/

/** Of the panel's own machine, as a connection without a proxy in between has it. */
export const isLoopback = (address: string): boolean => LOOPBACK.test(MAPPED.exec(address)?.[1] ?? address)
