import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { FormError } from '#web/kit/FormError.tsx'
import { toProblem } from '#web/kit/problem.ts'
import { Status } from '#web/kit/Status.tsx'
import type { Checked } from '../contract.ts'
import classes from './Offsite.module.css'

const CHECK_WORDS: Record<Checked['checks'][number]['id'], string> = {
  list: 'List',
  write: 'Write',
  read: 'Read back',
  delete: 'Delete',
}

const Checks = ({ checks }: Checked) => (
  <ul className={classes.checks} aria-label="Result of the test">
    {checks.map(({ id, ok, message, output }) => (
      <li key={id}>
        <Status tone={ok ? 'good' : 'bad'} word={CHECK_WORDS[id]} /> {message}
        {output && <pre className={classes.output}>{output}</pre>}
      </li>
    ))}
  </ul>
)

/** Tests a storage from a server and shows each check. */
export const TestButton = ({ test }: { test: () => Promise<Checked> }) => {
  const { mutate, data, error, isPending } = useMutation({ mutationFn: test })
  return (
    <div className={classes.test}>
      <div>
        <Button variant="default" loading={isPending} onClick={() => mutate()}>
          Test
        </Button>
      </div>
      <output>{data && !isPending && <Checks {...data} />}</output>
      {error && !isPending && <FormError problem={toProblem(error)} />}
    </div>
  )
}
