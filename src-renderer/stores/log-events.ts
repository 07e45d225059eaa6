type Listener = (servers: readonly string[] | null) => void

const listeners = new Set<Listener>()

/** Says which logs grew; null: any may have, as the line to main was lost. */
export function emitLogChange(servers: readonly string[] | null): void {
  for (const listener of listeners) listener(servers)
}

/** Hears of it until the returned function is called. */
export function onLogChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
