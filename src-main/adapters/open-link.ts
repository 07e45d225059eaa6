import { spawn } from 'node:child_process'

import { cleanEnvironment } from '../core/launch/environment/clean-environment'

/** Where no browser runs yet, `xdg-open` becomes one and does not end. In ms. */
const LIMIT_MS = 5_000

export type OpenLinkOptions = {
  readonly platform?: NodeJS.Platform
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly limitMs?: number
}

/**
 * Opens an address in the browser of the system: by `open`, which hands on the environment of this process, or on Linux
 * without what a wrapper put there, as a browser does not start with the libraries of another app. Rejects where none opens.
 */
export async function openLink(
  address: string,
  open: () => Promise<void>,
  {
    platform = process.platform,
    environment = process.env,
    limitMs = LIMIT_MS,
  }: OpenLinkOptions = {},
): Promise<void> {
  const env = cleanEnvironment(environment, platform)
  const isClean = Object.entries(environment).every(([name, value]) => env[name] === value)
  if (platform !== 'linux' || isClean) return open()
  const opened = await openByXdg(address, env, limitMs)
  if (opened === 'no-program') return open()
  if (opened === 'failed') throw new Error('Can’t open a browser.')
}

function openByXdg(
  address: string,
  env: Readonly<Record<string, string>>,
  limitMs: number,
): Promise<'opened' | 'failed' | 'no-program'> {
  return new Promise((resolve) => {
    const child = spawn('xdg-open', [address], { env, stdio: 'ignore', detached: true })
    const limit = setTimeout(() => resolve('opened'), limitMs)
    child.unref()
    child.once('error', () => {
      clearTimeout(limit)
      resolve('no-program')
    })
    child.once('exit', (code) => {
      clearTimeout(limit)
      resolve(code === 0 ? 'opened' : 'failed')
    })
  })
}
