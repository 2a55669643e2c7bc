import { IconChevronRight, IconFolder } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { folderAddress, joined } from '../paths.ts'
import { useFolder } from '../use-files.ts'
import classes from './FolderTree.module.css'
import { treeKeys } from './tree-keys.ts'

interface BranchProps {
  slug: string
  /** The folder that is open in the list. */
  current: string
  name: string
  path: string
}

/** The folders in one that is open. */
const Children = ({ slug, current, path }: Omit<BranchProps, 'name'>) => {
  const { data } = useFolder(slug, path)
  const folders = (data?.entries ?? [])
    .filter(({ kind, isNameValid }) => kind === 'folder' && isNameValid)
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
  if (folders.length === 0) return data && path !== '' ? <p className={classes.none}>No folders</p> : null
  return (
    <ul className={classes.list}>
      {folders.map(({ name }) => (
        <Branch key={name} {...{ slug, current, name }} path={joined(path, name)} />
      ))}
    </ul>
  )
}

const isWithin = (current: string, path: string) => path === '' || current === path || current.startsWith(`${path}/`)

/** A folder that can be opened here and in the list. The way to the one in the list is open. */
const Branch = ({ slug, current, name, path }: BranchProps) => {
  const [chosen, setChosen] = useState<{ isOpen: boolean; current: string }>()
  const isOnTheWay = isWithin(current, path)
  const isOpen = chosen?.current === current || !isOnTheWay ? (chosen?.isOpen ?? false) : true
  return (
    <li>
      <div className={classes.row}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-label={`Folders in ${name}`}
          tabIndex={-1}
          onClick={() => setChosen({ isOpen: !isOpen, current })}
        >
          <IconChevronRight size={14} aria-hidden="true" />
        </button>
        <Link
          to={folderAddress(path)}
          className={classes.link}
          title={name}
          aria-current={current === path ? 'page' : undefined}
        >
          <IconFolder size={16} stroke={1.5} aria-hidden="true" />
          <span className={classes.name}>{name}</span>
        </Link>
      </div>
      {isOpen && <Children {...{ slug, current, path }} />}
    </li>
  )
}

/** All folders of a site. Up and Down move, Right and Left open and close. */
export const FolderTree = ({ slug, current }: { slug: string; current: string }) => (
  <nav aria-label="Folder tree" className={classes.tree} {...{ onKeyDown: treeKeys }}>
    <ul className={classes.list}>
      <Branch {...{ slug, current }} name="Site folder" path="" />
    </ul>
  </nav>
)
