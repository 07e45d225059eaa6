import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { isRunning } from '../../../../e2e/fixtures/is-running'
import { TempLedger } from '../../../../e2e/fixtures/temp-ledger'
import { TinyComputer } from '../../../../e2e/fixtures/tiny-computer'

let computer: TinyComputer

type SetupOptions = Parameters<TinyComputer['doctor']>[0] & { readonly signal?: AbortSignal }

/** Reads the pid from a file that a program will write. */
async function pidFrom(file: string): Promise<number> {
  await expect.poll(() => existsSync(file), { timeout: 20_000 }).toBe(true)
  return Number(readFileSync(file, 'utf8'))
}

/** Runs a setup; `lines` collects its output. */
function setUp(
  setupId: string,
  { signal = new AbortController().signal, ...options }: SetupOptions = {},
): { readonly lines: readonly string[]; readonly done: Promise<void> } {
  const lines: string[] = []
  const onLine = (line: string): unknown => lines.push(line)
  return { lines, done: computer.doctor(options).setUp(setupId, { onLine, signal }) }
}

beforeEach(() => {
  computer = new TinyComputer()
})
afterEach(() => computer[Symbol.dispose]())

describe.skipIf(process.platform === 'win32')('a runner setup', () => {
  it('runs its commands in order in a private folder, and reports their output', async () => {
    computer.program(
      'curl',
      'echo "$@" >&2; shift 6; echo "echo from the script" > "$1"; stat -c %a . >&2; pwd >&2',
    )
    const { lines, done } = setUp('uv-script')
    await done
    expect(lines).toEqual([
      '$ curl --proto =https --tlsv1.2 -fsSL https://astral.sh/uv/install.sh -o install-uv.sh',
      '--proto =https --tlsv1.2 -fsSL https://astral.sh/uv/install.sh -o install-uv.sh',
      '700',
      expect.stringContaining('patchbay-setup-'),
      '$ sh install-uv.sh',
      'from the script',
    ])
  })

  it('gets the proxy with its password, which is masked in its output', async () => {
    computer.program(
      'curl',
      'echo "by $HTTPS_PROXY"; test "$HTTPS_PROXY" = http://ann:s3cr%40t-word@p.invalid',
    )
    computer.program('sh', 'true')
    const network = (reader: string): Promise<Record<string, string>> =>
      Promise.resolve({
        HTTPS_PROXY:
          reader === 'runner' ? 'http://ann:s3cr%40t-word@p.invalid' : 'http://p.invalid',
      })
    const { lines, done } = setUp('uv-script', { network })
    await done
    expect(lines.join()).toContain('by http://ann:')
    expect(lines.join()).not.toMatch(/s3cr(%40|@)t-word/u)
  })

  it('stops at the first failing command, and offers the available setups', async () => {
    computer.program('curl', 'echo "could not resolve host" >&2; exit 6')
    const { lines, done } = setUp('uv-script')
    await expect(done).rejects.toMatchObject({
      code: 'RUNNER_SETUP_FAILED',
      message: '"Install uv with its installer" failed (curl: exit code 6).',
      advice: { runner: 'uvx', problem: 'missing' },
    })
    expect(lines.at(-1)).toBe('could not resolve host')
  })

  it('has ended when its cancellation resolves', async () => {
    computer.program(
      'pipx',
      `cd ${computer.home}; (trap '' TERM; exec sleep 1000) & echo $! > new; mv new pid; wait`,
    )
    const cancel = new AbortController()
    const { done } = setUp('uv-pipx', { signal: cancel.signal })
    const stopped = expect(done).rejects.toThrow('stopped')
    const pid = await pidFrom(join(computer.home, 'pid'))
    cancel.abort(new Error('stopped'))
    await stopped
    expect(isRunning(pid)).toBe(false)
  })

  it.runIf(process.platform === 'linux')(
    'is ended by the next start if Patchbay was killed',
    async () => {
      using ledger = new TempLedger()
      const setupLedger = ledger.open().ledgerWithoutReaping('')
      computer.program('pipx', `cd ${computer.home}; echo $$ > new; mv new pid; exec sleep 1000`)
      const { done } = setUp('uv-pipx', { setupLedger })
      const ended = expect(done).rejects.toMatchObject({ code: 'RUNNER_SETUP_FAILED' })
      const pid = await pidFrom(join(computer.home, 'pid'))
      expect(isRunning(pid)).toBe(true)
      await ledger.open().ready
      expect(isRunning(pid)).toBe(false)
      await ended
    },
  )

  it('leaves its services running, even if Patchbay is killed later', async () => {
    using ledger = new TempLedger()
    const setupLedger = ledger.open().ledgerWithoutReaping('')
    computer.program('pipx', `sleep 1000 > /dev/null 2>&1 & echo $! > ${computer.home}/pid`)
    await setUp('uv-pipx', { setupLedger }).done
    const pid = await pidFrom(join(computer.home, 'pid'))
    await ledger.open().ready
    expect(isRunning(pid)).toBe(true)
    process.kill(pid)
  })

  it.each(['no-such-setup', 'uv-winget', '__proto__', 'docker-script'])(
    "is rejected if it isn't for this computer: %s",
    async (setupId) => {
      computer.program('curl', 'exit 0')
      await expect(setUp(setupId).done).rejects.toMatchObject({ code: 'NOT_FOUND' })
    },
  )

  it('is shown instead of run if it requires a password', async () => {
    computer.program('docker', 'echo "Cannot connect to the Docker daemon" >&2; exit 1')
    await expect(computer.doctor({ path: [] }).examine('docker')).rejects.toMatchObject({
      advice: {
        setups: [
          {
            setupId: 'docker-service',
            canRun: false,
            steps: [{ command: 'sudo', args: ['systemctl', 'start', 'docker'] }],
          },
        ],
      },
    })
  })
})
