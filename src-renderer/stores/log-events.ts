type Listener = (servers: readonly string[] | null) => void

const listeners = new Set<Listener>()

/** Reports which logs grew; null after a lost connection: any log may have. */
export function emitLogChange(servers: readonly string[] | null): void {
  for (const listener of listeners) listener(servers)
}

/** Calls the listener until the returned function is called. */
export function onLogChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
