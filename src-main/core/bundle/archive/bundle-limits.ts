const MB = 1024 * 1024

/** What a bundle may take: sizes in bytes, times in ms. */
export type BundleLimits = {
  readonly fileBytes: number
  /** For the whole download. */
  readonly downloadMs: number
  /** Without a single byte. */
  readonly stallMs: number
  readonly redirects: number
  /** Files and folders, those that only paths name too. */
  readonly entries: number
  readonly entryBytes: number
  readonly totalBytes: number
  /** How many times larger than packed the files may be once they are more than `ratioFromBytes`. */
  readonly ratio: number
  readonly ratioFromBytes: number
  readonly manifestBytes: number
}

/** Far above every published bundle, far below what would hurt a computer. */
export const DEFAULT_BUNDLE_LIMITS: BundleLimits = {
  fileBytes: 512 * MB,
  downloadMs: 30 * 60_000,
  stallMs: 60_000,
  redirects: 10,
  entries: 50_000,
  entryBytes: 1024 * MB,
  totalBytes: 2048 * MB,
  ratio: 100,
  ratioFromBytes: 16 * MB,
  manifestBytes: MB,
}
