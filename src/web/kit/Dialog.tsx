import { CloseButton, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './Dialog.module.css'
import { useModal } from './use-modal.ts'

interface DialogProps {
  title: ReactNode
  /** `side` is the drawer: high and narrow, for what belongs to the page behind it. `bottom` is within reach of the thumb. */
  kind?: 'center' | 'side' | 'bottom'
  onClose: () => void
  footer?: ReactNode
  children: ReactNode
}

/** Asks or shows something in front of the page. The browser's own dialog: it keeps the focus, and Escape closes it. */
export const Dialog = ({ title, kind = 'center', onClose, footer, children }: DialogProps) => {
  const id = useId()
  const modal = useModal(onClose)
  return (
    <dialog {...modal} className={classes.dialog} data-kind={kind} aria-labelledby={id}>
      <div className={classes.sheet}>
        <header className={classes.header}>
          <Title order={2} size="h4" id={id} className={classes.title ?? ''}>
            {title}
          </Title>
          <CloseButton aria-label="Close" onClick={onClose} />
        </header>
        <div className={classes.body}>{children}</div>
        {footer && <footer className={classes.footer}>{footer}</footer>}
      </div>
    </dialog>
  )
}
