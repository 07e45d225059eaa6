/** Sets an entry as the newest, and drops the oldest if there are more than `most`. */
export function keepNewest<K, V>(kept: Map<K, V>, key: K, value: V, most: number): void {
  kept.delete(key)
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > most && oldest !== undefined) kept.delete(oldest)
}
