/** The address of releases, and the key that signs their manifests. */
export type ReleaseFeed = {
  /** Address of the manifest folder, with a trailing slash. */
  readonly url: string
  /** Public Ed25519 key in base64 (SPKI, DER). */
  readonly key: string
}

/**
 * The feed of this build: the release build sets both values (docs/releasing.md). Undefined in a build from source, which gets no updates.
 */
export function releaseFeed(env: ImportMetaEnv = import.meta.env): ReleaseFeed | undefined {
  const { MAIN_VITE_UPDATE_FEED: url, MAIN_VITE_UPDATE_KEY: key } = env
  return url && key ? { url: url.endsWith('/') ? url : `${url}/`, key } : undefined
}
