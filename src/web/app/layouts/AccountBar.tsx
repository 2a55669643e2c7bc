import { ActionIcon } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import type { Admin } from '#features/admins/contract.ts'
import { useSignOut } from '#web/client/session.ts'
import { toProblem } from '#web/kit/problem.ts'
import { showToast } from '#web/kit/toasts.ts'
import classes from './AccountBar.module.css'
import { ThemeSwitch } from './ThemeSwitch.tsx'
import { useAccountTheme } from './use-account-theme.ts'

/** Who is signed in, the theme, and the way out. */
export const AccountBar = ({ admin }: { admin: Admin }) => {
  const theme = useAccountTheme(admin)
  const leaving = useMutation({ mutationFn: useSignOut() })
  const error = leaving.error ?? theme.error
  useEffect(() => {
    if (error) showToast({ tone: 'bad', text: toProblem(error).message })
  }, [error])
  return (
    <div className={classes.bar}>
      <Link to="/settings/account" className={classes.person} title={`Your account, ${admin.email}`}>
        {admin.name}
      </Link>
      <ThemeSwitch choice={theme.choice} onChoose={theme.choose} />
      <ActionIcon
        variant="subtle"
        color="gray"
        c="dimmed"
        size={30}
        aria-label="Sign out"
        title="Sign out"
        loading={leaving.isPending}
        onClick={() => leaving.mutate()}
      >
        <IconLogout size={16} aria-hidden="true" />
      </ActionIcon>
    </div>
  )
}
