import { z } from 'zod'
import { settingsSection } from '#platform/settings/section.ts'

const Network = z.union(
  [z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()],
  'must be an address or a network such as 10.0.0.0/8',
)

export const edgeSettings = settingsSection({
  id: 'edge',
  title: 'Visitors',
  fields: z.object({
    trustedProxies: z
      .array(Network)
      .max(200)
      .default([])
      .describe(
        'Addresses and networks of proxies in front of the servers. What they say about a visitor’s address is believed, what others say is not.',
      ),
  }),
})

export const siteLimitSettings = settingsSection({
  id: 'siteLimits',
  title: 'What each site may use',
  fields: z.object({
    cpus: z
      .number()
      .min(0)
      .max(256)
      .default(2)
      .describe('Processors a site may keep busy at most; 0 for no limit but the machine’s own.')
      .meta({ title: 'Processors' }),
    memoryMiB: z.number().int().min(128).max(1_048_576).default(512).describe('Memory a site may use, in MiB.'),
    processes: z.number().int().min(32).max(100_000).default(256).describe('Processes a site may run at once.'),
  }),
})

export const publishSettings = settingsSection({
  id: 'publish',
  title: 'The panel in public',
  fields: z.object({
    throughEdge: z
      .boolean()
      .default(false)
      .describe(
        'The panel is served at its public address (PUBLIC_URL) through the edge of its own server, with a certificate. `./fleetpress up --domain` turns it on.',
      )
      .meta({ title: 'Publish the panel' }),
  }),
})

export const certificateSettings = settingsSection({
  id: 'certificates',
  title: 'Certificates',
  fields: z.object({
    directoryUrl: z
      .url({ protocol: /^https$/ })
      .max(500)
      .default('https://acme-v02.api.letsencrypt.org/directory')
      .describe('The ACME directory of the authority that certificates come from.')
      .meta({ title: 'ACME directory' }),
  }),
})
