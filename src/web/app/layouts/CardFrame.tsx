import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import { Brand } from './Brand.tsx'
import classes from './CardFrame.module.css'

/** A page of one small card under the product's name. */
export const CardFrame = ({ children }: { children: ReactNode }) => (
  <div className={classes.page}>
    <header className={classes.header}>
      <Brand />
    </header>
    <Paper component="main" withBorder shadow="xs" className={classes.card ?? ''}>
      {children}
    </Paper>
  </div>
)
