import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { faultAt } from './field-errors.ts'
import { toProblem } from './problem.ts'

/** The first wrong field, or the one the form names with `data-retry`. */
const focusForRetry = (form: HTMLFormElement | null) => {
  const field =
    form?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? form?.querySelector<HTMLElement>('[data-retry]')
  field?.focus()
  if (field instanceof HTMLInputElement) field.select()
}

/** Sends a form once at a time. The last problem stays in view until the next attempt has ended, so nothing jumps. */
export const useSubmission = (act: () => Promise<void>) => {
  const form = useRef<HTMLFormElement>(null)
  const [failures, setFailures] = useState(0)
  const [failure, setFailure] = useState<unknown>()
  const { mutate, isPending } = useMutation({
    mutationFn: act,
    onSuccess: () => setFailure(undefined),
    onError: error => {
      setFailure(error)
      setFailures(count => count + 1)
    },
  })
  useEffect(() => {
    if (failures > 0) focusForRetry(form.current)
  }, [failures])
  const problem = failure === undefined ? undefined : toProblem(failure)
  return {
    isPending,
    problem,
    /** Changes with every failure, so that the same problem is announced again. */
    failures,
    errorOf: (field: string) => faultAt(problem, field),
    formProps: {
      ref: form,
      noValidate: true,
      'aria-busy': isPending,
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        if (!isPending) mutate()
      },
    },
  }
}
