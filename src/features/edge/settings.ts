import { z } from 'zod'
import { settingsSection } from '#platform/settings/section.ts'

const Network = z.union(
  [z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()],
  'must be an address or a network such as 10.0.0.0/8',
)

const PROXY_HEADERS = ['X-Forwarded-For', 'X-Real-IP', 'CF-Connecting-IP', 'True-Client-IP'] as const

export const edgeSettings = settingsSection({
  id: 'edge',
  title: 'Visitors',
  fields: z.object({
    trustedProxies: z
      .array(Network)
      .max(200)
      .default([])
      .describe(
        "Addresses and networks of proxies in front of the servers. Only these proxies are trusted to report a visitor's address.",
      ),
    proxyHeader: z
      .enum(PROXY_HEADERS)
      .default('X-Forwarded-For')
      .describe("The header in which the trusted proxies report a visitor's address."),
  }),
})

export const publishSettings = settingsSection({
  id: 'publish',
  title: 'Panel address',
  fields: z.object({
    throughEdge: z
      .boolean()
      .default(false)
      .describe(
        'Serves the panel at its public address (PUBLIC_URL) through the edge of its own server, with a certificate. `./fleetpress up --domain` turns it on.',
      )
      .meta({ title: 'Publish the panel' }),
  }),
})
