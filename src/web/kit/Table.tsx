import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import { Link } from 'react-router'
import { Card } from './Card.tsx'
import classes from './Table.module.css'
import { useUrlState } from './use-url-state.ts'
import { ROW_REM, useVisibleRows } from './use-visible-rows.ts'

export interface Column<T> {
  /** Stands in the address when the table is sorted by it. */
  id: string
  title: string
  cell: (row: T) => ReactNode
  /** Columns without one share what is left. */
  width?: string
  /** Not shown on phones. */
  wide?: boolean
  align?: 'end'
  /** Makes the column sortable. */
  sort?: (row: T) => string | number
}

interface Selection {
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

interface TableProps<T> {
  /** What the rows are, for readers. */
  label: string
  rows: readonly T[]
  columns: readonly Column<T>[]
  idOf: (row: T) => string
  /** What a row is called, for the box that selects it. */
  nameOf?: (row: T) => string
  selection?: Selection | undefined
  /** In place of the rows when there are none. */
  empty: ReactNode
  /** Below the last row: what loads more. */
  more?: ReactNode
}

const compare = (a: string | number, b: string | number) =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true })

const sorted = <T,>(rows: readonly T[], columns: readonly Column<T>[], order: string): readonly T[] => {
  const key = columns.find(({ id }) => id === order.replace(/^-/, ''))?.sort
  if (!key) return rows
  const direction = order.startsWith('-') ? -1 : 1
  return rows.toSorted((a, b) => direction * compare(key(a), key(b)))
}

/** The link of a row; all of the row points there. Other controls in the row lie above it. */
export const RowLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className={classes.rowLink}>
    {children}
  </Link>
)

/** The second line of a cell. */
export const CellNote = ({ children }: { children: ReactNode }) => (
  <>
    <br />
    <span className={classes.note}>{children}</span>
  </>
)

const HeadCell = <T,>({ column, order }: { column: Column<T>; order: string }) => {
  const url = useUrlState()
  const { id, title, sort } = column
  const isUp = order === id
  const isDown = order === `-${id}`
  return (
    <th
      scope="col"
      data-wide={column.wide}
      data-align={column.align}
      style={{ width: column.width }}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
    >
      {sort ? (
        <button type="button" className={classes.sort} onClick={() => url.set({ sort: isUp ? `-${id}` : id })}>
          {title}
          {isUp && <IconArrowUp size={14} aria-hidden="true" />}
          {isDown && <IconArrowDown size={14} aria-hidden="true" />}
        </button>
      ) : (
        title
      )}
    </th>
  )
}

const toggled = (chosen: ReadonlySet<string>, id: string) => {
  const next = new Set(chosen)
  if (!next.delete(id)) next.add(id)
  return next
}

const Spacer = ({ rows }: { rows: number }) =>
  rows > 0 && <tr aria-hidden="true" className={classes.spacer} style={{ height: `${rows * ROW_REM}rem` }} />

interface RowProps<T> extends Pick<TableProps<T>, 'columns' | 'selection'> {
  row: T
  id: string
  name: string
  /** As readers count, the head included. */
  index: number
}

const PlainRow = <T,>({ row, id, name, index, columns, selection }: RowProps<T>) => (
  <tr aria-rowindex={index} className={classes.row}>
    {selection && (
      <td className={classes.box}>
        <input
          type="checkbox"
          aria-label={`Select ${name}`}
          checked={selection.chosen.has(id)}
          onChange={() => selection.onChange(toggled(selection.chosen, id))}
        />
      </td>
    )}
    {columns.map(column => (
      <td key={column.id} data-wide={column.wide} data-align={column.align}>
        {column.cell(row)}
      </td>
    ))}
  </tr>
)

/** While someone scrolls, rows that stay in sight are not drawn again. */
const Row = memo(PlainRow) as typeof PlainRow

const Rows = <T,>({ rows, columns, idOf, nameOf = idOf, selection }: Omit<TableProps<T>, 'label' | 'empty'>) => {
  const { body, first, last } = useVisibleRows(rows.length)
  return (
    <tbody ref={body}>
      <Spacer rows={first} />
      {rows.slice(first, last).map((row, index) => (
        <Row
          key={idOf(row)}
          {...{ row, columns, selection }}
          id={idOf(row)}
          name={nameOf(row)}
          index={first + index + 2}
        />
      ))}
      <Spacer rows={rows.length - last} />
    </tbody>
  )
}

/** Many rows of one height, of which only those near the window are drawn. Sorting lives in the address. */
export const Table = <T,>(props: TableProps<T>) => {
  const { label, rows, columns, idOf, selection, empty, more } = props
  const order = useUrlState().of('sort')
  if (rows.length === 0) return <Card flush>{empty}</Card>
  const allChosen = selection !== undefined && rows.every(row => selection.chosen.has(idOf(row)))
  return (
    <Card flush>
      <table className={classes.table} aria-label={label} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={classes.box}>
                <input
                  type="checkbox"
                  aria-label={`Select all ${label.toLowerCase()}`}
                  checked={allChosen}
                  onChange={() => selection.onChange(new Set(allChosen ? [] : rows.map(idOf)))}
                />
              </th>
            )}
            {columns.map(column => (
              <HeadCell key={column.id} column={column} order={order} />
            ))}
          </tr>
        </thead>
        <Rows {...props} rows={sorted(rows, columns, order)} />
      </table>
      {more}
    </Card>
  )
}
