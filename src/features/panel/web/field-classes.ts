import classes from './SettingRow.module.css'

/** Puts the parts of a Mantine field into the columns of its row. */
export const fieldClasses = {
  root: classes.field ?? '',
  label: classes.label ?? '',
  description: classes.description ?? '',
  wrapper: classes.control ?? '',
  error: classes.error ?? '',
}
