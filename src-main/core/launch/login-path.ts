import { shellEnv } from 'shell-env'

const LIMIT_MS = 5_000

/**
 * The PATH of the person's login shell, or undefined on Windows, when the shell does not answer in
 * 5 s, or when it fails: an app started from a dock or menu does not inherit it.
 */
export async function readLoginPath(platform: NodeJS.Platform): Promise<string | undefined> {
  if (platform === 'win32') return undefined
  const limit = new Promise<undefined>((resolve) => {
    setTimeout(resolve, LIMIT_MS, undefined).unref()
  })
  const path = shellEnv().then(
    (env) => env.PATH,
    () => undefined, // no shell, no PATH of its own: the inherited one is used
  )
  return Promise.race([path, limit])
}
