import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { memoryBackend } from '../../src-main/core/secrets/secret-vault'
import { openText } from '../../src-shared/domain/installation/custom-server'
import { approveCustomServer, madeCommand } from '../fixtures/custom-servers'
import type { Harness } from '../fixtures/harness'
import { openHarness, openHarnessWith } from '../fixtures/open-harness'
import { tempFolder } from '../fixtures/temp-folder'
import { launchServe } from '../ways-in/browser'
import { DockerDaemon, dockerObstacle, hasProgram, Podman } from './docker-daemon'

const obstacle = dockerObstacle()
const KEY = 'correct-horse-battery-staple'
let daemon: DockerDaemon
/** Reference of the image with the fixture servers. */
let image: string

/** A server in a container, as registries describe it. */
const containerServer = (server: string, identifier = image): object => ({
  ...{ name: 'acme/server', title: 'Server', description: 'A server.', version: '1.0.0' },
  packages: [
    {
      ...{ registryType: 'oci', identifier, transport: { type: 'stdio' } },
      environmentVariables: [{ name: 'API_KEY', isSecret: true }],
      packageArguments: server.split(' ').map((value) => ({ type: 'positional', value })),
    },
  ],
})

/** Adds, approves and starts a command copied from a README. */
function addWritten(
  harness: Harness,
  command: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const [program = '', ...args] = command.split(' ')
  const env = Object.entries(variables).map(([name, value]) => ({ name, value: openText(value) }))
  return approveCustomServer(
    harness,
    madeCommand({ command: program, args: args.map(openText), env }),
  )
}

/** Command lines of all processes. */
function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        return '' // ended meanwhile
      }
    })
}

describe.skipIf(obstacle !== undefined)(
  `Docker, a real daemon${obstacle ? `: ${obstacle}` : ''}`,
  () => {
    beforeAll(async () => {
      daemon = new DockerDaemon()
      await daemon.start()
      await daemon.startRegistry()
      process.env.DOCKER_HOST = daemon.host
      daemon.makeImage('local/servers')
      image = daemon.publish('local/servers', 'acme/servers:1.0.0')
    })
    afterAll(async () => {
      delete process.env.DOCKER_HOST
      await daemon.close()
    })

    it('B9: pulls an image with progress, and starts the server with its secret by variable name only', async () => {
      const harness = openHarness()
      const values = { env_API_KEY: KEY }
      const id = await harness.installReady(containerServer('/app/keyed.mjs'), { values })
      const log = (await harness.log(id)).join('\n')
      expect(log).toMatch(/Pulling from acme\/servers[^]*Pull complete[^]*key [0-9a-f]{12}/u)
      const [container = ''] = daemon.containers()
      expect(container).toMatch(/^patchbay-/u)
      const inspected = daemon.docker('inspect', '--format', '{{json .Config.Env}}', container)
      expect(inspected).toContain(`API_KEY=${KEY}`)
      expect(commandLines().filter((line) => line.includes(KEY))).toEqual([])
      expect(log).not.toContain(KEY)
    })

    it('B6: stops a container that ignores the end of stdin and SIGTERM, and leaves none behind', async () => {
      const harness = openHarness()
      const id = await harness.installReady(containerServer('/app/ignores.mjs term'))
      expect(daemon.containers()).toHaveLength(1)
      await harness.stop(id)
      expect(daemon.containers()).toEqual([])
    })

    it('B8: removes the container of a killed app at the next start', async () => {
      const memory = { document: null as unknown, secrets: memoryBackend() }
      const profileDir = tempFolder('profile')
      const harness = openHarness(memory, { profileDir })
      await harness.until(await harness.install(containerServer('/app/ignores.mjs term')), 'ready')
      await harness.patchbay.close()
      writeFileSync(join(profileDir, 'settings.json'), JSON.stringify(memory.document))
      const killed = await launchServe({ profileDir })
      await expect.poll(() => daemon.containers().length).toBe(1)
      const [left] = daemon.containers()
      await killed.close('SIGKILL')
      expect(daemon.containers()).toEqual([left])
      const next = await launchServe({ profileDir })
      await expect.poll(() => daemon.containers().includes(left ?? '')).toBe(false)
      expect(await next.close()).toBe(0)
      expect(daemon.containers()).toEqual([])
    })

    it('A8: reports a daemon that is down, and starts the server once it is up', async () => {
      const harness = await openHarnessWith({ firstWaitMs: 100 })
      const id = await harness.installReady(containerServer('/app/plain.mjs'))
      await daemon.stop()
      await harness.until(id, 'backingOff')
      await expect
        .poll(async () => (await harness.log(id)).join('\n'))
        .toContain('Docker is installed but not running.')
      await daemon.start()
      await harness.until(id, 'ready')
    })

    it("E15: explains a missing image, and doesn't retry", async () => {
      const harness = openHarness()
      const gone = image.replace('1.0.0', '9.9.9')
      const id = await harness.install(containerServer('/app/plain.mjs', gone))
      const { status } = await harness.until(id, 'error')
      expect(status).toMatchObject({
        cause: { causeId: 'image-missing', message: expect.stringContaining(gone) as string },
        stderrTail: [expect.stringContaining('not found') as string],
      })
    })

    it("E15: explains an image for another processor, and doesn't retry", async () => {
      daemon.makeImage('local/foreign:1', { isForeign: true })
      const foreign = daemon.publish('local/foreign:1', 'acme/foreign:1.0.0')
      const harness = openHarness()
      const id = await harness.install(containerServer('/app/plain.mjs', foreign))
      const { status } = await harness.until(id, 'error')
      expect(status).toMatchObject({ cause: { causeId: 'image-architecture' } })
    })

    it("E15: explains a command that needs a terminal, and doesn't retry", async () => {
      const harness = openHarness()
      const id = await addWritten(harness, `docker run -it --rm ${image} /app/plain.mjs`)
      const { status } = await harness.until(id, 'error')
      expect(status).toMatchObject({ cause: { causeId: 'container-terminal' } })
    })

    it('B6: stops the container of a custom command by name', async () => {
      const harness = openHarness()
      const id = await addWritten(
        harness,
        `docker run -i --rm -e A=b ${image} /app/ignores.mjs term`,
      )
      await harness.until(id, 'ready')
      expect(daemon.containers()).toEqual([expect.stringMatching(/^patchbay-/u)])
      await harness.stop(id)
      expect(daemon.containers()).toEqual([])
    })
  },
)

const podmanObstacle =
  dockerObstacle() === undefined && hasProgram('podman') ? undefined : 'needs podman'

describe.skipIf(podmanObstacle !== undefined)(
  `Podman${podmanObstacle ? `: ${podmanObstacle}` : ''}`,
  () => {
    let podman: Podman
    beforeAll(() => {
      podman = new Podman()
      podman.makeImage('localhost/servers:1.0.0')
    })
    afterAll(() => podman.close())

    it('B6: stops the container of a custom command by name', async () => {
      const harness = openHarness()
      const command = 'podman run -i --rm localhost/servers:1.0.0 /app/ignores.mjs term'
      const id = await addWritten(harness, command, podman.env)
      await harness.until(id, 'ready')
      expect(podman.containers()).toEqual([expect.stringMatching(/^patchbay-/u)])
      await harness.stop(id)
      expect(podman.containers()).toEqual([])
    })
  },
)
