import type { SecretStoreState } from '../../src-shared/domain/state/app-state'

/** A place that keeps secrets by key: the keychain, or memory. Every call may reject, and may never settle. */
export type SecretBackend = {
  /** Null when there is no such secret. */
  get(key: string): Promise<string | null>
  /** `value` is not empty. */
  set(key: string, value: string): Promise<void>
  /** True when there was one to delete. */
  delete(key: string): Promise<boolean>
}

/** A place that keeps secrets, and tells whether they outlive the app; without a state they do. */
export type SecretKeeper = SecretBackend & { readonly state?: SecretStoreState }

/** A place for secrets that can tell what it holds. */
export type Keychain = SecretBackend & {
  /** The keys of all that is in it, in any order. */
  keys(): Promise<string[]>
}

/** The settings document as one JSON object: read and written whole, and written atomically. */
export type DocumentStore = {
  /** Absolute path of the settings file. */
  readonly file: string
  /** Null before the first write. */
  read(): unknown
  /** `document` must be plain JSON. */
  write(document: unknown): void
}

/** The time of day. */
export type Clock = {
  /** Epoch ms. */
  now(): number
}

/** The time of day, a time that never jumps, and waits by the latter. */
export type Timekeeper = Clock & {
  /** Ms since some moment; only differences mean something. */
  monotonic(): number
  /** Calls `run` once after `ms`, unless it is disposed before; keeps no process alive. */
  after(ms: number, run: () => void): Disposable
}
