/** Every table of the database. Each owner adds its own by augmenting this interface in its `tables.ts`. */
export interface Tables {
  panel_meta: PanelMetaTable
}

/** Facts about this database that belong to no feature, such as which master key sealed its secrets. */
export interface PanelMetaTable {
  name: string
  value: string
}
