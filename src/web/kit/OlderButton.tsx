import { Button } from '@mantine/core'
import classes from './OlderButton.module.css'

interface OlderButtonProps {
  /** A list that is read page by page. */
  query: { isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
  label: string
}

/** The foot of a list that continues. */
export const OlderButton = ({ query, label }: OlderButtonProps) => (
  <div className={classes.older}>
    <Button variant="default" size="xs" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {label}
    </Button>
  </div>
)
