import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useDeferredValue, useId, useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Admin } from '#features/admins/contract.ts'
import type { Command } from '#web/client/registration.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { toProblem } from '#web/kit/problem.ts'
import { showToast } from '#web/kit/toasts.ts'
import { useModal } from '#web/kit/use-modal.ts'
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

// The keyboard stays in the field, which names the chosen option; a pointer may click it anyway.
const Option = ({ id, command: { title, note, refusal, icon: Sign }, isChosen, onChoose }: OptionProps) => {
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
      aria-disabled={refusal !== undefined}
      className={classes.option}
      onClick={onChoose}
    >
      <Sign size={18} stroke={1.75} aria-hidden="true" />
      <span className={classes.title}>{title}</span>
      {(refusal ?? note) && <span className={classes.note}>{refusal ?? note}</span>}
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
    if (!command || command.refusal !== undefined) return
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
          aria-label="Search sites, servers and jobs, or type a command"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={commands.length > 0 ? `${id}-${chosen}` : undefined}
          placeholder="Search, or type a command"
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
      <div id={id} role="listbox" aria-label="Results" className={classes.list}>
        {commands.map((command, index) => (
          <Option
            key={`${command.to ?? ''} ${command.title} ${command.note ?? ''}`}
            id={`${id}-${index}`}
            command={command}
            isChosen={index === chosen}
            onChoose={() => go(command)}
          />
        ))}
      </div>
      {commands.length === 0 && (
        <output className={classes.nothing}>{isSearching ? 'Searching…' : 'No results.'}</output>
      )}
    </dialog>
  )
}
