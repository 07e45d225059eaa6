import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { FakeDocker } from '../../../../e2e/fixtures/fake-docker'
import { isRunning } from '../../../../e2e/fixtures/is-running'
import type { RunningChild } from './child-process'
import { spawnChild } from './child-process'
import { removeContainer, stopContainer } from './docker-container'
import { GracefulStop } from './graceful-stop'
import { type ChildEnd, NO_LEDGER, type ProcessLedger } from './process-ledger'

const GRACE = { stdinMs: 400, termMs: 400, killMs: 20_000 }
const NAME = 'patchbay-0123456789ab'
const env = { PATH: process.env.PATH ?? '' }

let docker: FakeDocker
beforeEach(() => (docker = new FakeDocker()))
afterEach(() => docker[Symbol.dispose]())

/** Starts a named container with a fixture server. */
async function startContainer(
  server: string,
  containerName: string | undefined = NAME,
): Promise<RunningChild> {
  const args = ['run', '-i', '--rm', '--name', NAME, ...server.split(' ')]
  const child = await spawnChild(
    { command: docker.file, args, env, containerName },
    () => undefined,
  )
  await until(() => docker.containers().some(({ pid }) => pid > 0))
  return child
}

const until = (isSo: () => boolean): Promise<void> => expect.poll(isSo).toBe(true)

/** A ledger that collects the remains of each child. */
function recordRemains(): { processLedger: ProcessLedger; remains: ChildEnd[] } {
  const remains: ChildEnd[] = []
  const finished = (left: ChildEnd): void => void remains.push(left)
  return { processLedger: { add: (child) => ({ ...NO_LEDGER.add(child), finished }) }, remains }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Shell lines of a fake docker whose program hangs. */
const HANGS =
  'sleep 1000 & echo "$$ $!" > "$(dirname "$0")/new"; mv "$(dirname "$0")/new" "$(dirname "$0")/pids"; wait'

/** Pids of the script and its program. */
function clients(): number[] {
  const file = join(docker.bin, 'pids')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').map(Number) : []
}

describe.skipIf(process.platform === 'win32')(
  'B6: a container (with a fake docker, no daemon)',
  () => {
    it('that ends with its stdin is only looked up', async () => {
      const child = await startContainer('plain.mjs')
      await new GracefulStop(child, { ...GRACE, stdinMs: 10_000 }).stop()
      expect(docker.calls().slice(1)).toEqual([`rm -f ${NAME}`])
      expect(docker.containers()).toEqual([])
    })

    it('that ignores everything is stopped and removed by name', async () => {
      const child = await startContainer('ignores.mjs term')
      const [container] = docker.containers()
      await new GracefulStop(child, { ...GRACE, termMs: 15_000 }).stop()
      expect(docker.calls().slice(1)).toEqual([`stop -t 2 ${NAME}`, `rm -f ${NAME}`])
      expect(docker.containers()).toEqual([])
      await until(() => !isAlive(container?.pid ?? 0))
    })

    it("that docker hasn't stopped in time is removed", async () => {
      const child = await startContainer('ignores.mjs term')
      const [container] = docker.containers()
      await new GracefulStop(child, GRACE).stop()
      expect(docker.calls()).toContain(`rm -f ${NAME}`)
      expect(docker.containers()).toEqual([])
      await until(() => !isAlive(container?.pid ?? 0))
    })

    it('whose client was killed is removed too', async () => {
      const child = await startContainer('ignores.mjs term')
      process.kill(child.pid, 'SIGKILL')
      await child.exited
      await new GracefulStop(child, GRACE).stop()
      expect(docker.containers()).toEqual([])
    })

    it('with its own name is left to docker', async () => {
      const args = ['run', '-i', '--rm', '--name', 'own', 'ignores.mjs', 'term']
      const child = await spawnChild({ command: docker.file, args, env }, () => undefined)
      await until(() => docker.containers().some(({ pid }) => pid > 0))
      await new GracefulStop(child, GRACE).stop()
      expect(docker.calls()).toHaveLength(1)
    })

    it('without an answer from docker takes bounded time and causes a warning', async () => {
      docker.answerWith('exec sleep 1000')
      const containerName = NAME
      const child = await spawnChild(
        { command: docker.file, args: ['run'], env, containerName },
        () => undefined,
      )
      const warnings: string[] = []
      await new GracefulStop(child, { ...GRACE, killMs: 500 }, (text) => warnings.push(text)).stop()
      expect(warnings).toHaveLength(1)
      expect(warnings[0]).toMatch(/^The container \S+ couldn’t be removed \(no answer within /u)
    })

    it("that docker doesn't remove is given up when the stop's time is over, and stays recorded", async () => {
      const endsAfterMs = 1_500
      const ends = `sleep ${String(endsAfterMs / 1_000)}; exit 0`
      docker.answerWith(
        `[ "$1" = run ] || exec sleep 1000\ntrap '${ends}' TERM\necho up >&2\nwhile :; do sleep 0.1; done`,
      )
      const { processLedger, remains } = recordRemains()
      const received: string[] = []
      const child = await spawnChild(
        { command: docker.file, args: ['run'], env, containerName: NAME, processLedger },
        (line) => received.push(line),
      )
      await until(() => received.includes('up'))
      const grace = { stdinMs: 500, termMs: 2_500, killMs: 500 }
      const warnings: string[] = []
      await new GracefulStop(child, grace, (text) => warnings.push(text)).stop()
      const waited = Number(/no answer within ([\d.]+) s/u.exec(warnings.join())?.[1])
      expect(waited).toBeLessThanOrEqual((grace.termMs + grace.killMs - endsAfterMs) / 1_000)
      expect(remains.at(-1)).toEqual({ isTreeGone: true, isContainerGone: false })
      expect(remains.filter(({ isContainerGone }) => isContainerGone)).toEqual([])
    })

    it('whose docker client hangs during a stop leaves no client behind', async () => {
      docker.answerWith(
        `case "$1" in
          run) trap 'while [ ! -s ${docker.bin}/pids ]; do sleep 0.05; done; exit 0' TERM
            echo up >&2; while :; do sleep 0.1; done ;;
          stop) ${HANGS} ;;
        esac`,
      )
      const received: string[] = []
      const child = await spawnChild(
        { command: docker.file, args: ['run'], env, containerName: NAME },
        (line) => received.push(line),
      )
      await until(() => received.includes('up'))
      const grace = { stdinMs: 200, termMs: 20_000, killMs: 20_000 }
      await new GracefulStop(child, grace).stop()
      await until(() => clients().every((pid) => !isRunning(pid)))
      expect(clients()).toHaveLength(2)
    })

    it("whose docker client doesn't answer in time leaves no client behind", async () => {
      docker.answerWith(HANGS)
      const container = { name: NAME, docker: docker.file }
      const asked = removeContainer(container, env, 5_000)
      await until(() => clients().length === 2)
      expect(clients().every((pid) => isRunning(pid))).toBe(true)
      expect(await asked).toMatchObject({ kind: 'failed' })
      await until(() => clients().every((pid) => !isRunning(pid)))
    })

    it("is reported as removed, missing, or unknown without the daemon's answer", async () => {
      const container = { name: NAME, docker: docker.file }
      expect(await removeContainer(container, env, 10_000)).toEqual({ kind: 'absent' })
      docker.answerWith('echo "Cannot connect to the Docker daemon" >&2; exit 1')
      expect(await removeContainer(container, env, 10_000)).toEqual({
        kind: 'failed',
        reason: 'Cannot connect to the Docker daemon',
      })
      const missing = { ...container, docker: '/nowhere/docker' }
      expect(await removeContainer(missing, env, 10_000)).toMatchObject({ kind: 'failed' })
    })
  },
)

describe("B6: a docker client that can't be spawned", () => {
  it('is a reported failure, never a rejection', async () => {
    const container = { name: 'patchbay-00000000', docker: '/etc/passwd/docker' }
    expect((await stopContainer(container, {}, 1_000)).kind).toBe('failed')
  })
})
