import classes from './Status.module.css'

/** good: as it should be. busy: being changed. warning: works, but look. bad: broken. idle: off, on purpose. */
export type Tone = 'good' | 'busy' | 'warning' | 'bad' | 'idle'

/** How something stands, said the same way everywhere: a dot for the eye, a word for everyone. */
export const Status = ({ tone, word }: { tone: Tone; word: string }) => (
  <span className={classes.status} data-tone={tone}>
    <span className={classes.dot} aria-hidden="true" />
    <span className={classes.word}>{word}</span>
  </span>
)
