import { Button } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Admin } from '#features/admins/contract.ts'
import { Problem } from '#platform/contract/problem.ts'
import { api, toProblem } from '#web/api.ts'
import { forgetSession } from '#web/session.ts'
import { Brand } from '#web/ui/Brand.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { ThemeSwitch } from './ThemeSwitch.tsx'
import classes from './TopBar.module.css'
import { useAccountTheme } from './use-account-theme.ts'

/** Ends the session; one that was over already is just as good. */
const signOut = async () => {
  try {
    await api.logout()
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'unauthorized')) throw error
  }
}

export const TopBar = ({ admin }: { admin: Admin }) => {
  const queryClient = useQueryClient()
  const theme = useAccountTheme(admin)
  const leaving = useMutation({ mutationFn: signOut, onSuccess: () => forgetSession(queryClient) })
  const error = leaving.error ?? theme.error
  return (
    <>
      <header className={classes.bar}>
        <div className={classes.content}>
          <Link to="/" className={classes.home} aria-label="Fleetpress, overview">
            <Brand />
          </Link>
          <span className={classes.person} title={admin.email}>
            {admin.name}
          </span>
          <ThemeSwitch choice={theme.choice} onChoose={theme.choose} />
          <Button
            variant="default"
            size="xs"
            className={classes.leave ?? ''}
            aria-label="Sign out"
            title="Sign out"
            loading={leaving.isPending}
            onClick={() => leaving.mutate()}
          >
            <IconLogout size={16} aria-hidden="true" />
            <span className={classes.word}>Sign out</span>
          </Button>
        </div>
      </header>
      {error && (
        <div className={classes.problem}>
          <FormError problem={toProblem(error)} />
        </div>
      )}
    </>
  )
}
