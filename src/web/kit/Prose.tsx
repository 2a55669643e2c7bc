import classes from './Prose.module.css'

/** A sentence of the panel; what it puts between backticks is to be typed, and looks like it. */
export const Prose = ({ text }: { text: string }) => (
  <>
    {Array.from(text.matchAll(/`([^`]+)`|[^`]+/g), ({ 0: words, 1: typed, index }) =>
      typed === undefined ? (
        words
      ) : (
        <code key={index} className={classes.typed}>
          {typed}
        </code>
      ),
    )}
  </>
)
