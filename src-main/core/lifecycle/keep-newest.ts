/** Sets an entry as the newest, and drops the oldest if there are more than `maxSize`. */
export function keepNewest<K, V>(map: Map<K, V>, key: K, value: V, maxSize: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > maxSize && oldest !== undefined) map.delete(oldest)
}
