import classes from './Brand.module.css'

/** The product's sign and name. */
export const Brand = () => (
  <span className={classes.brand}>
    <svg className={classes.sign} viewBox="0 0 32 32" aria-hidden="true">
      <rect className={classes.tile} width="32" height="32" rx="8" />
      <g className={classes.bars}>
        <rect x="8" y="8" width="16" height="4.5" rx="2.25" />
        <rect x="8" y="14.75" width="11" height="4.5" rx="2.25" opacity=".85" />
        <rect x="8" y="21.5" width="6" height="4.5" rx="2.25" opacity=".7" />
      </g>
    </svg>
    Fleetpress
  </span>
)
