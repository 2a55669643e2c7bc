import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useDeferredValue, useId, useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Admin } from '#features/admins/contract.ts'
import { toProblem } from '#web/api.ts'
import type { Command } from '#web/screen.ts'
import { showToast } from '#web/ui/toasts.ts'
import { useFollowJob } from '#web/ui/use-follow-job.ts'
import { useModal } from '#web/ui/use-modal.ts'
import classes from './Palette.module.css'
import { useAccountCommands } from './use-account-commands.ts'
import { useFoundCommands } from './use-found-commands.ts'

const moved = (from: number, by: number, count: number) => (count === 0 ? 0 : (from + by + count) % count)

interface OptionProps {
  id: string
  command: Command
  isChosen: boolean
  onChoose: () => void
}

// The keyboard stays in the field, which names the chosen option; a pointer may click it all the same.
const Option = ({ id, command: { title, note, icon: Sign }, isChosen, onChoose }: OptionProps) => {
  const option = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (isChosen) option.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <button
      ref={option}
      type="button"
      tabIndex={-1}
      id={id}
      role="option"
      aria-selected={isChosen}
      className={classes.option}
      onClick={onChoose}
    >
      <Sign size={18} stroke={1.75} aria-hidden="true" />
      <span className={classes.title}>{title}</span>
      {note && <span className={classes.note}>{note}</span>}
    </button>
  )
}

/** Goes anywhere, does anything: pages and acts at once, and what the panel finds as it is typed. */
export const Palette = ({ admin, onClose }: { admin: Admin; onClose: () => void }) => {
  const id = useId()
  const modal = useModal(onClose)
  const navigate = useNavigate()
  const follow = useFollowJob()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const { commands, isSearching } = useFoundCommands(useDeferredValue(typed), useAccountCommands(admin))
  const go = (command: Command | undefined) => {
    if (!command) return
    onClose()
    if (command.to !== undefined) void navigate(command.to)
    else follow(command.act()).catch(error => showToast({ tone: 'bad', text: toProblem(error).message }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setChosen(moved(chosen, step, commands.length))
    else if (event.key === 'Enter') go(commands[chosen])
    else return
    event.preventDefault()
  }
  return (
    <dialog {...modal} className={classes.palette} aria-label="Search and commands">
      <div className={classes.ask}>
        <IconSearch size={18} aria-hidden="true" />
        <input
          className={classes.input}
          role="combobox"
          aria-label="Search sites, servers and jobs, or type what to do"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={commands.length > 0 ? `${id}-${chosen}` : undefined}
          placeholder="Search, or type what to do"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={event => {
            setTyped(event.currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={id} role="listbox" aria-label="Found" className={classes.list}>
        {commands.map((command, index) => (
          <Option
            key={`${command.to ?? ''} ${command.title}`}
            id={`${id}-${index}`}
            command={command}
            isChosen={index === chosen}
            onChoose={() => go(command)}
          />
        ))}
      </div>
      {commands.length === 0 && (
        <output className={classes.nothing}>{isSearching ? 'Searching…' : 'Nothing is called that.'}</output>
      )}
    </dialog>
  )
}
