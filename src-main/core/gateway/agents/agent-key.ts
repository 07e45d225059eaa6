import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

const KEY_BYTES = 32
/** Of `pb_` and 32 bytes in base64url. */
const KEY_LENGTH = 46

/** A new key, `pb_` and 32 random bytes as base64url: it stands in configurations, where the prefix tells what it is. */
export function newAgentKey(): string {
  return `pb_${randomBytes(KEY_BYTES).toString('base64url')}`
}

/** SHA-256, hex. A key is random, so that nothing slower is needed. */
export function hashOfKey(key: string): string {
  return hash('sha256', key, 'hex')
}

/** Whose key it is. As long whoever it is, and whether it is anybody's. */
export function ownerOfKey<T>(key: string, owners: ReadonlyMap<T, Buffer>): T | undefined {
  if (key.length !== KEY_LENGTH) return undefined
  const digest = hash('sha256', key, 'buffer')
  let owner: T | undefined
  for (const [one, known] of owners) if (timingSafeEqual(known, digest)) owner = one
  return owner
}
