import type { Tab } from '#web/kit/Page.tsx'

/** Above every page of the fleet's security; the first one is of the feature `protection`. */
export const securityTabs: readonly Tab[] = [
  { label: 'Sites', to: '/security' },
  { label: 'Blocked', to: '/security/blocks' },
  { label: 'Never blocked', to: '/security/never-blocked' },
  { label: 'Firewall', to: '/security/firewall' },
  { label: 'Detection', to: '/security/detection' },
]
