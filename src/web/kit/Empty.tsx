import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Empty.module.css'

interface EmptyProps {
  icon: Icon
  title: string
  /** What would be here, and how it gets there. */
  children: ReactNode
  action?: ReactNode
}

/** Instead of a list that holds nothing: says why, and leads on. */
export const Empty = ({ icon: Sign, title, children, action }: EmptyProps) => (
  <div className={classes.empty}>
    <span className={classes.icon} aria-hidden="true">
      <Sign size={24} stroke={1.5} />
    </span>
    <p className={classes.title}>{title}</p>
    <p className={classes.text}>{children}</p>
    {action}
  </div>
)
