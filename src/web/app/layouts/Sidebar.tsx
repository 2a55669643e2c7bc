import { IconSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Admin } from '#features/admins/contract.ts'
import { AccountBar } from './AccountBar.tsx'
import { Brand } from './Brand.tsx'
import { MainNav } from './MainNav.tsx'
import classes from './Sidebar.module.css'

interface SidebarProps {
  admin: Admin
  onSearch: () => void
  /** What is always in sight, below the entries. */
  children: ReactNode
}

/** The way to everything, by task. On a phone its head stays above and the main entries go below. */
export const Sidebar = ({ admin, onSearch, children }: SidebarProps) => (
  <header className={classes.side}>
    <div className={classes.top}>
      <Link to="/" className={classes.brand} aria-label="Fleetpress, Home">
        <Brand />
      </Link>
      <button type="button" className={classes.search} aria-keyshortcuts="Control+K" onClick={onSearch}>
        <IconSearch size={16} aria-hidden="true" />
        <span className={classes.searchWord}>Search…</span>
        <kbd className={classes.key} aria-hidden="true">
          Ctrl K
        </kbd>
      </button>
    </div>
    <MainNav />
    <div className={classes.dock}>{children}</div>
    <AccountBar admin={admin} />
  </header>
)
