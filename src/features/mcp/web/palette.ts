import { IconSparkles } from '@tabler/icons-react'
import type { PaletteOffer } from '#web/client/registration.ts'
import { mcp } from '../contract.ts'

export const mcpPalette: PaletteOffer = {
  commands: [
    {
      title: 'AI connections',
      note: 'Go to',
      keywords: 'mcp claude chatgpt assistant agent',
      icon: IconSparkles,
      to: '/settings/ai',
    },
    {
      title: 'Connect an AI app',
      keywords: 'mcp claude chatgpt assistant agent',
      icon: IconSparkles,
      to: '/settings/ai/new',
      needs: mcp.mcpConnectionCreate.level,
    },
  ],
}
