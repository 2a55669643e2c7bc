import type { ReactNode } from 'react'
import classes from './FieldGrid.module.css'

/** Fields of a form, next to each other as far as there is room. */
export const FieldGrid = ({ children }: { children: ReactNode }) => <div className={classes.fields}>{children}</div>
