import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './CardLink.module.css'

/** The other way on from a card, below its button. */
export const CardLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Anchor component={Link} to={to} size="sm" className={classes.link ?? ''}>
    {children}
  </Anchor>
)
