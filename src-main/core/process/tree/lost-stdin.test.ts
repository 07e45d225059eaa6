import { describe, expect, it } from 'vitest'

import { spawnChild } from '../spawn/child-process'
import { GracefulStop } from '../spawn/graceful-stop'
import { findLostStdin, type LostStdin } from './lost-stdin'

const STAY = "console.error('up'); setInterval(() => {}, 1000)"
const HELPER = `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }); ${STAY}`
const GRACE = { stdinMs: 0, termMs: 2_000, killMs: 20_000 }

/** Looks at the tree of a shell script in which `$NODE` is a server that never reads. */
async function lookAt(script: string, code = STAY): Promise<LostStdin | undefined> {
  const up = Promise.withResolvers<undefined>()
  const child = await spawnChild(
    {
      command: '/bin/sh',
      args: ['-c', script],
      env: { PATH: '/bin:/usr/bin', NODE: process.execPath, CODE: code },
    },
    (line) => line === 'up' && up.resolve(undefined),
  )
  try {
    await up.promise
    return await findLostStdin(child.tree)
  } finally {
    await new GracefulStop(child, GRACE).stop()
  }
}

describe.runIf(process.platform === 'linux')('E15: a server without its stdin', () => {
  it.each([
    ['a script that starts it in the background', '"$NODE" -e "$CODE" & wait $!', 'null'],
    ['a script that gives it /dev/null', 'exec "$NODE" -e "$CODE" </dev/null', 'null'],
    ['a program that closes it', 'exec <&-; echo up >&2; while :; do sleep 1; done', 'closed'],
  ] as const)('is found in %s', async (_, script, stdin) => {
    expect(await lookAt(script)).toMatchObject({ stdin })
  })

  it.each([
    ['that waits for it', '"$NODE" -e "$CODE"; exit 0', STAY],
    ['that becomes it', 'exec "$NODE" -e "$CODE"', STAY],
    ['whose server has a helper without stdin', 'exec "$NODE" -e "$CODE"', HELPER],
  ])('is not reported for a script %s', async (_, script, code) => {
    expect(await lookAt(script, code)).toBeUndefined()
  })
})
