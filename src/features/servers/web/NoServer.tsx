import { Button } from '@mantine/core'
import { IconServerOff } from '@tabler/icons-react'
import { Link } from 'react-router'
import { Card } from '#web/kit/Card.tsx'
import { Empty } from '#web/kit/Empty.tsx'

/** In place of what needs a server that is set up. */
export const NoServer = () => (
  <Card flush>
    <Empty
      icon={IconServerOff}
      title="No servers set up yet"
      action={
        <Button component={Link} to="/servers">
          Set up a server
        </Button>
      }
    >
      Set up a server to host sites. You can use the panel's own server.
    </Empty>
  </Card>
)
