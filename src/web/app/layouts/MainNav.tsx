import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { NavLink, useLocation } from 'react-router'
import type { Entry } from '#web/client/registration.ts'
import { useRegistry } from '#web/client/registry.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import classes from './MainNav.module.css'

interface EntryLinkProps {
  entry: Entry
  onFollow?: () => void
}

const EntryLink = ({ entry: { title, to, icon: Sign, inBar }, onFollow }: EntryLinkProps) => (
  <NavLink to={to} end={to === '/'} className={classes.entry ?? ''} data-in-bar={inBar} onClick={onFollow}>
    <Sign size={18} stroke={1.75} aria-hidden="true" />
    {title}
  </NavLink>
)

/** On phones: the way to the entries that have no room in the bar. It is marked on their pages, too. */
const MoreEntries = ({ entries }: { entries: readonly Entry[] }) => {
  const [isOpen, setOpen] = useState(false)
  const { pathname } = useLocation()
  const isHere = entries.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
  return (
    <>
      <button
        type="button"
        className={`${classes.entry} ${classes.more}`}
        data-in-bar
        aria-haspopup="dialog"
        aria-current={isHere || undefined}
        onClick={() => setOpen(true)}
      >
        <IconDots size={18} stroke={1.75} aria-hidden="true" />
        More
      </button>
      {isOpen && (
        <Dialog title="More" kind="bottom" onClose={() => setOpen(false)}>
          <div className={classes.sheet}>
            {entries.map(entry => (
              <EntryLink key={entry.to} entry={entry} onFollow={() => setOpen(false)} />
            ))}
          </div>
        </Dialog>
      )}
    </>
  )
}

/** The pages of the product: a column, or on a phone a bar of the main ones and a sheet with the rest. */
export const MainNav = () => {
  const { entries } = useRegistry()
  return (
    <nav className={classes.entries} aria-label="Main">
      {entries.map(entry => (
        <EntryLink key={entry.to} entry={entry} />
      ))}
      <MoreEntries entries={entries.filter(({ inBar }) => !inBar)} />
    </nav>
  )
}
