import { CloseButton } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import classes from './Toasts.module.css'
import { dismissToast, type ShownToast, useToasts } from './toasts.ts'

const signs = { good: IconCircleCheck, bad: IconAlertCircle } as const

const ToastItem = ({ toast }: { toast: ShownToast }) => {
  const Sign = signs[toast.tone]
  return (
    <li className={classes.toast} data-tone={toast.tone}>
      <Sign className={classes.sign} size={20} aria-hidden="true" />
      <div className={classes.text}>
        {toast.text}
        {toast.link && (
          <Link to={toast.link.to} className={classes.link} onClick={() => dismissToast(toast.id)}>
            {toast.link.label}
          </Link>
        )}
      </div>
      <CloseButton size="sm" aria-label="Dismiss" onClick={() => dismissToast(toast.id)} />
    </li>
  )
}

/** News in the corner. It is read out, and takes the focus from no one. */
export const Toasts = () => (
  <section className={classes.region} aria-label="Notifications" aria-live="polite">
    <ol className={classes.list}>
      {useToasts().map(toast => (
        <ToastItem key={toast.id} toast={toast} />
      ))}
    </ol>
  </section>
)
