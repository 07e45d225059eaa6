import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { hideNetwork } from '../../fixtures/bare-network'
import { PASSWORD_FORMS, PROXY_PASSWORD, PROXY_USER } from '../../fixtures/company'
import { FakeDocker } from '../../fixtures/fake-docker'
import { FakeDotnet } from '../../fixtures/fake-dotnet'
import type { Harness } from '../../fixtures/harness'
import { openHarness } from '../../fixtures/open-harness'
import { computerOnPath, type TinyComputer } from '../../fixtures/tiny-computer'

const TELLS = join(import.meta.dirname, '..', '..', 'servers', 'variables.mjs')
const HOST = 'proxy.packages.invalid:3128'
const ADDRESS = `http://${encodeURIComponent(PROXY_USER)}:${encodeURIComponent(PROXY_PASSWORD)}@${HOST}`

let docker: FakeDocker
let computer: TinyComputer
let harness: Harness
beforeEach(async () => {
  hideNetwork()
  docker = new FakeDocker()
  onTestFinished(() => docker[Symbol.dispose]())
  computer = computerOnPath()
  vi.stubEnv('PATH', [docker.bin, process.env.PATH].join(delimiter))
  harness = openHarness()
  await harness.call('settings.update', {
    ...{ proxyMode: 'manual', proxyUrl: `http://${HOST}`, proxyUser: PROXY_USER },
    withoutProxy: '.acme.example',
  })
  await harness.call('network.setPassword', { password: PROXY_PASSWORD })
})
afterEach(() => vi.unstubAllEnvs())

/** A server that prints its environment. */
const tells = (registryType: string, identifier: string, version?: string): object => ({
  name: 'acme/tells',
  title: 'Tells',
  description: 'Tells its variables.',
  version: '1.0.0',
  packages: [{ registryType, identifier, version, transport: { type: 'stdio' } }],
})

async function environmentOf(id: string): Promise<unknown> {
  const call = { name: 'environment', arguments: {} }
  const answer = await harness.session(id).request('tools/call', call)
  const { content } = answer as { content: readonly { readonly text: string }[] }
  return JSON.parse(content[0]?.text ?? 'null')
}

function expectNoPassword(text: string): void {
  for (const form of PASSWORD_FORMS) expect(text).not.toContain(form)
}

describe.skipIf(process.platform === 'win32')('E8: a container (with a fake docker)', () => {
  it('gets the proxy by variable names, with its password in no argument and masked in output', async () => {
    const id = await harness.installReady(tells('oci', 'fixture/variables.mjs'))
    expect(await environmentOf(id)).toMatchObject({
      ...{ HTTPS_PROXY: ADDRESS, https_proxy: ADDRESS, HTTP_PROXY: ADDRESS, http_proxy: ADDRESS },
      NO_PROXY: '.acme.example,localhost,127.0.0.1,[::1],::1',
      no_proxy: '.acme.example,localhost,127.0.0.1,[::1],::1',
      NODE_USE_ENV_PROXY: '1',
    })
    const calls = docker.calls().join('\n')
    expect(calls).toContain(' -e HTTPS_PROXY -e https_proxy ')
    const log = (await harness.log(id)).join('\n')
    for (const said of ['pulled by http://', 'proxy is http://']) expect(log).toContain(said)
    expectNoPassword(`${calls}\n${log}`)
  })

  it('gets nothing without a proxy', async () => {
    await harness.call('settings.update', { proxyMode: 'none' })
    const id = await harness.installReady(tells('oci', 'fixture/variables.mjs'))
    expect(JSON.stringify(await environmentOf(id))).not.toMatch(/proxy/iu)
    expect(docker.calls().join('\n')).not.toContain(' -e ')
  })
})

describe.skipIf(process.platform === 'win32')('E8: a .NET tool (with a fake dotnet)', () => {
  it('is fetched and started through the proxy; the password is for the download only, and masked', async () => {
    await harness.call('settings.update', { proxyPasswordForServers: false })
    const file = join(computer.home, 'address')
    const dotnet = new FakeDotnet(computer)
    dotnet.answerWith(`echo "$HTTPS_PROXY" > '${file}'; echo "fetched by $HTTPS_PROXY"`)
    computer.program('dnx', `exec node '${TELLS}'`)
    const id = await harness.installReady(tells('nuget', 'Acme.Tells', '1.0.0'))
    expect(readFileSync(file, 'utf8').trim()).toBe(ADDRESS)
    expect(await environmentOf(id)).toMatchObject({ HTTPS_PROXY: `http://${HOST}` })
    const log = (await harness.log(id)).join('\n')
    expect(log).toContain('fetched by http://')
    expectNoPassword(log)
  })
})
