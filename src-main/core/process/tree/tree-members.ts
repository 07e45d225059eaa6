import type { ProcessEntry, ProcessSnapshot } from './process-table'

/** The living processes among `seeds` and all that descend from them; each with the seed that it was found by. */
export function withDescendants(
  snapshot: ProcessSnapshot,
  seeds: Iterable<number>,
): Map<ProcessEntry, number> {
  const children = childrenByParent(snapshot)
  const seedOf = new Map<number, number>()
  for (const seed of seeds) seedOf.set(seed, seed)
  // What is added to a map while it is walked is walked too.
  for (const [pid, seed] of seedOf) {
    for (const child of children.get(pid) ?? []) if (!seedOf.has(child)) seedOf.set(child, seed)
  }
  const found = new Map<ProcessEntry, number>()
  for (const [pid, seed] of seedOf) {
    const entry = snapshot.get(pid)
    if (entry && !entry.isDead) found.set(entry, seed)
  }
  return found
}

function childrenByParent(snapshot: ProcessSnapshot): ReadonlyMap<number, number[]> {
  const children = new Map<number, number[]>()
  for (const { pid, parent } of snapshot.values()) {
    const siblings = children.get(parent)
    if (siblings) siblings.push(pid)
    else children.set(parent, [pid])
  }
  return children
}
