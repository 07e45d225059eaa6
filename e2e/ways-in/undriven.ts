import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

import { cleanEnvironment } from '../../src-main/core/launch/environment/clean-environment'
import type { DesktopLaunch, DesktopRun, ExitStatus } from './desktop-app'
import { LaunchRecord } from './record'

const ROOT = resolve(import.meta.dirname, '../..')
const LIMIT_MS = 60_000

/** This process's environment without editor extensions' variables, which make Electron plain Node or load other code. */
export function inheritedEnvironment(): Record<string, string> {
  const clean = cleanEnvironment(process.env, process.platform)
  const { ELECTRON_RUN_AS_NODE: _mode, NODE_OPTIONS: _options, ...env } = clean
  return env
}

/**
 * Runs `command` until it exits, with its outward calls recorded. Such a start gets no driver, which may fail unrelatedly if attached while
 * the process exits. Rejects after a minute.
 */
export async function runToEnd(
  [program = '', ...args]: readonly string[],
  { env }: Pick<DesktopLaunch, 'env'>,
): Promise<DesktopRun> {
  const record = new LaunchRecord()
  try {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...inheritedEnvironment(), ...env, ...record.env },
      stdio: 'ignore',
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    })
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    const exit: ExitStatus = code ?? signal
    if (exit === 'SIGKILL') throw new Error(`The start didn’t end on its own.\n${record.log()}`)
    return { exit, log: record.log() }
  } finally {
    record.remove()
  }
}
