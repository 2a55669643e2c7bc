import { Button } from '@mantine/core'
import { IconServerOff } from '@tabler/icons-react'
import { Link } from 'react-router'
import { Card } from '#web/ui/Card.tsx'
import { Empty } from '#web/ui/Empty.tsx'

/** In place of what needs a server that is set up. */
export const NoServer = () => (
  <Card flush>
    <Empty
      icon={IconServerOff}
      title="No server is set up yet"
      action={
        <Button component={Link} to="/servers">
          Set up a server
        </Button>
      }
    >
      Sites live on servers. Set one up first; the machine of the panel itself will do.
    </Empty>
  </Card>
)
