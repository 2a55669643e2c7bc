import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Section } from '#web/kit/Section.tsx'
import { Breadcrumbs } from './Breadcrumbs.tsx'
import classes from './Editor.module.css'
import { downloadAddress, folderAddress, nameOf, parentOf } from './paths.ts'

/** Where an open file is, and the way back. */
export const FileFrame = ({ slug, path, children }: { slug: string; path: string; children: ReactNode }) => (
  <Section
    title={nameOf(path)}
    about={<Breadcrumbs path={parentOf(path)} file={nameOf(path)} />}
    actions={
      <div className={classes.acts}>
        <Button component="a" size="xs" variant="default" href={downloadAddress(slug, path)} download>
          Download
        </Button>
        <Button component={Link} size="xs" variant="default" to={folderAddress(parentOf(path))}>
          Close
        </Button>
      </div>
    }
  >
    {children}
  </Section>
)
