import type { Server } from '#features/servers/contract.ts'

export const DNS_CHOICES: { value: Server['dnsProvider']; label: string }[] = [
  { value: 'none', label: 'Elsewhere: records are made by hand' },
  { value: 'cloudflare', label: 'Cloudflare' },
]
