import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import classes from './Files.module.css'
import { folderAddress, stepsTo } from './paths.ts'

/** Where a person is, and the way up. */
export const Breadcrumbs = ({ path, file }: { path: string; file?: string }) => (
  <nav aria-label="Folders">
    <ol className={classes.crumbs}>
      {[{ name: 'Site folder', path: '' }, ...stepsTo(path)].map(step => (
        <li key={step.path}>
          {step.path === path && file === undefined ? (
            <span aria-current="page">{step.name}</span>
          ) : (
            <Anchor component={Link} to={folderAddress(step.path)} size="sm">
              {step.name}
            </Anchor>
          )}
        </li>
      ))}
      {file !== undefined && (
        <li>
          <span aria-current="page">{file}</span>
        </li>
      )}
    </ol>
  </nav>
)
