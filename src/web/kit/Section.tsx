import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './Section.module.css'

interface SectionProps {
  title: string
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A titled part of a page; readers can jump to it. */
export const Section = ({ title, about, actions, children }: SectionProps) => {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <div>
          <Title order={2} size="h5" id={id}>
            {title}
          </Title>
          {about && <div className={classes.about}>{about}</div>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </section>
  )
}
