import { IconChevronLeft } from '@tabler/icons-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Link, NavigationType, NavLink, useLocation, useNavigationType } from 'react-router'
import classes from './Page.module.css'
import { PageHeading } from './PageHeading.tsx'

export interface Tab {
  label: string
  /** Its own address, so that every tab can be linked to. */
  to: string
  count?: number
}

interface PageProps {
  title: string
  /** Where it belongs, above the title. */
  back?: { label: string; to: string }
  /** Next to the title, mostly a `Status`. */
  status?: ReactNode
  /** One line below the title. */
  about?: ReactNode
  actions?: ReactNode
  tabs?: readonly Tab[]
  children: ReactNode
}

/** Where there is no room for all of them, the current one is in the middle. */
const showTab = (nav: HTMLElement | null, address: string) => {
  const tab = nav?.querySelector<HTMLElement>(`[href="${CSS.escape(address)}"]`)
  if (nav && tab) nav.scrollLeft = tab.offsetLeft - nav.offsetLeft - (nav.clientWidth - tab.offsetWidth) / 2
}

const Tabs = ({ tabs }: { tabs: readonly Tab[] }) => {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useLayoutEffect(() => showTab(nav.current, pathname), [pathname])
  return (
    <nav ref={nav} className={classes.tabs} aria-label="Parts of this page">
      {tabs.map(({ label, to, count }) => (
        <NavLink key={to} to={to} end className={classes.tab ?? ''}>
          {label}
          {count !== undefined && <span className={classes.count}>{count}</span>}
        </NavLink>
      ))}
    </nav>
  )
}

/** The frame of every page: it names the window, and readers hear the title after a link was followed. */
export const Page = ({ title, back, status, about, actions, tabs, children }: PageProps) => {
  const arrivedByLink = useNavigationType() !== NavigationType.Pop
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        {back && (
          <Link to={back.to} className={classes.back}>
            <IconChevronLeft size={16} aria-hidden="true" />
            {back.label}
          </Link>
        )}
        <div className={classes.head}>
          <div className={classes.title}>
            <PageHeading title={title} size={2} takesFocus={arrivedByLink} />
            {status}
          </div>
          {actions && <div className={classes.actions}>{actions}</div>}
        </div>
        {about && <div className={classes.about}>{about}</div>}
        {tabs && <Tabs tabs={tabs} />}
      </header>
      {children}
    </div>
  )
}
