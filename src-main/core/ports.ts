import type { SecretStoreState } from '../../src-shared/domain/state/app-state'

/** Stores secrets by key: the keychain, or memory. Every call may reject, and may never settle. */
export type SecretBackend = {
  /** Null if there is no such secret. */
  get(key: string): Promise<string | null>
  /** `value` is not empty. */
  set(key: string, value: string): Promise<void>
  /** True if there was one to delete. */
  delete(key: string): Promise<boolean>
}

/** A secret store that tells whether secrets outlive the app; without a state they do. */
export type SecretKeeper = SecretBackend & { readonly state?: SecretStoreState }

/** A secret store that can list its keys. */
export type Keychain = SecretBackend & {
  /** All keys, in any order. */
  keys(): Promise<string[]>
}

/** The settings document as one JSON object, read and written as a whole, atomically. */
export type DocumentStore = {
  /** Absolute path of the settings file. */
  readonly file: string
  /** Null before the first write. */
  read(): unknown
  /** `document` must be plain JSON. */
  write(document: unknown): void
}

/** The wall clock. */
export type Clock = {
  /** Epoch ms. */
  now(): number
}

/** Wall clock, monotonic clock, and timers by the latter. */
export type Timekeeper = Clock & {
  /** Monotonic ms since an arbitrary moment; only differences mean something. */
  monotonic(): number
  /** Calls `run` once after `ms`, unless disposed before; keeps no process alive. */
  after(ms: number, run: () => void): Disposable
}
