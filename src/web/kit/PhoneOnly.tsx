import type { ReactNode } from 'react'
import classes from './PhoneOnly.module.css'

/** What its own column says where there is room for one. */
export const PhoneOnly = ({ children }: { children: ReactNode }) => <span className={classes.phone}>{children}</span>
