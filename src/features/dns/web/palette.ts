import { IconWorld } from '@tabler/icons-react'
import type { PaletteOffer } from '#web/client/registration.ts'

export const dnsPalette: PaletteOffer = {
  commands: [
    {
      title: 'DNS',
      note: 'Go to',
      keywords: 'cloudflare token wildcard certificate records name server',
      icon: IconWorld,
      to: '/settings/dns',
    },
  ],
}
