import type { Tab } from '#web/kit/Page.tsx'

export const BLOCK_TABS: readonly Tab[] = [
  { label: 'Blocked', to: '/blocks' },
  { label: 'Never blocked', to: '/blocks/never' },
  { label: 'Firewall', to: '/blocks/firewall' },
  { label: 'Detection', to: '/blocks/detection' },
]
