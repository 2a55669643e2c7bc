export type Graph = ReadonlyMap<string, readonly string[]>

/** Everything that can be reached from the roots, the roots that exist included. */
export const reachableFrom = (roots: string[], graph: Graph): Set<string> => {
  const reached = new Set<string>()
  const pending = [...roots]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (reached.has(name) || !graph.has(name)) continue
    reached.add(name)
    pending.push(...(graph.get(name) ?? []))
  }
  return reached
}

const shortestWay = (from: string, to: string, graph: Graph): string[] | undefined => {
  const cameFrom = new Map<string, string>()
  const pending = [from]
  for (const name of pending) {
    for (const next of graph.get(name) ?? []) {
      if (next === to) {
        const way = [name]
        for (let step = name; step !== from; ) {
          step = cameFrom.get(step) ?? from
          way.unshift(step)
        }
        return [...way, to]
      }
      if (next !== from && !cameFrom.has(next)) {
        cameFrom.set(next, name)
        pending.push(next)
      }
    }
  }
  return undefined
}

/** One circle for every knot of the graph, each as the way from its first name back to it. */
export const findCycles = (graph: Graph): string[][] => {
  const cycles: string[][] = []
  const reported = new Set<string>()
  for (const name of [...graph.keys()].toSorted()) {
    if (reported.has(name)) continue
    const cycle = shortestWay(name, name, graph)
    if (!cycle) continue
    cycles.push(cycle)
    for (const member of cycle) reported.add(member)
  }
  return cycles
}
