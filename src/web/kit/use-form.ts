import { type ChangeEvent, useState } from 'react'
import { useSubmission } from './use-submission.ts'

type KeysHolding<V, T> = { [K in keyof V & string]: V[K] extends T ? K : never }[keyof V & string]

/** The values of a form and its sending. `text`, `flag` and `of` are spread into the fields of Mantine. */
export const useForm = <V extends object>(initial: V, submit: (values: V) => Promise<void>) => {
  const [values, setValues] = useState(initial)
  const submission = useSubmission(() => submit(values))
  const set = (changes: Partial<V>) => setValues(before => ({ ...before, ...changes }))
  return {
    ...submission,
    values,
    set,
    reset: () => setValues(initial),
    isDirty: JSON.stringify(values) !== JSON.stringify(initial),
    /** For fields that hold a text, selects included. */
    text: (name: KeysHolding<V, string>) => ({
      name,
      value: String(values[name]),
      error: submission.errorOf(name),
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
        set({ [name]: event.currentTarget.value } as Partial<V>),
    }),
    /** For boxes and switches. */
    flag: (name: KeysHolding<V, boolean>) => ({
      name,
      checked: values[name] === true,
      onChange: (event: ChangeEvent<HTMLInputElement>) => set({ [name]: event.currentTarget.checked } as Partial<V>),
    }),
  }
}
