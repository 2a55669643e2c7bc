import { Button } from '@mantine/core'
import type { Server } from '#features/servers/contract.ts'
import { Status } from '#web/kit/Status.tsx'
import classes from './TerminalScreen.module.css'
import { useTerminal } from './use-terminal.ts'

/** The shell, how the line to it stands, and a new one when it is over. */
const TerminalScreen = ({ server }: { server: Server }) => {
  const { box, status, note, isOver, reconnect } = useTerminal(server.id)
  return (
    <section className={classes.frame} aria-label={`Terminal on ${server.name}`}>
      <div className={classes.bar}>
        <output className={classes.state}>
          <Status {...status} />
          {note && <span className={classes.note}>{note}</span>}
        </output>
        {isOver ? (
          <Button size="compact-xs" variant="default" onClick={reconnect}>
            Open a new shell
          </Button>
        ) : (
          <span className={classes.hint}>F6 leaves the terminal</span>
        )}
      </div>
      <div className={classes.screen}>
        <div ref={box} className={classes.box} data-over={isOver || undefined} />
      </div>
    </section>
  )
}

/** A root shell in the browser. */
export const TerminalTab = ({ server }: { server: Server }) => <TerminalScreen key={server.id} server={server} />
