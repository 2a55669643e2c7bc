import classes from './Labels.module.css'

/** The labels of a site, small. */
export const Labels = ({ labels }: { labels: readonly string[] }) => (
  <>
    {labels.map(label => (
      <span key={label} className={classes.label}>
        {label}
      </span>
    ))}
  </>
)
