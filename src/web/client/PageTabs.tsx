import { type ReactNode, Suspense } from 'react'
import { Navigate } from 'react-router'
import type { Tab } from '#web/kit/Page.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import type { TabHost, TabProps } from './registration.ts'
import { useRegistry } from './registry.ts'
import { useMay } from './session.ts'

interface PageTabs<H extends TabHost> {
  /** For `Page`. */
  links: readonly Tab[]
  /** What is shown at this address; points to the first tab where there is none, or none for this person. */
  content: (props: TabProps[H]) => ReactNode
}

/** The tabs that features registered for a page at `address`, of which the one at `path` is open. */
export const usePageTabs = <H extends TabHost>(host: H, address: string, path: string): PageTabs<H> => {
  const may = useMay()
  const tabs = useRegistry().tabs[host].filter(({ needs = 'none' }) => may(needs))
  const open = tabs.find(tab => tab.path === path)
  return {
    links: tabs.map(tab => ({ label: tab.label, to: tab.path === '' ? address : `${address}/${tab.path}` })),
    content: props =>
      open ? (
        <Suspense key={address} fallback={<Skeleton rows={2} height="12rem" />}>
          <open.Component {...props} />
        </Suspense>
      ) : (
        <Navigate to={address} replace />
      ),
  }
}
