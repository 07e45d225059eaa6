import { delimiter, join } from 'node:path'

import { afterAll, beforeAll } from 'vitest'

import { builtThread } from '../fixtures/built-program'
import { Harness } from '../fixtures/harness'
import { realNpx, realUvx } from '../fixtures/real-tools'
import type { FieldServer } from './field-servers'

/** Runners for published servers in a file's tests, and a harness that counts tokens. */
export type PublishedRunners = {
  readonly isThere: (server: FieldServer) => boolean
  readonly harness: () => Harness
}

/** Finds npx and uvx using `folder`; their downloads are below `caches`. */
export async function publishedRunners(folder: string, caches: string): Promise<PublishedRunners> {
  const [npx, uvx] = await Promise.all([
    realNpx(folder, '@modelcontextprotocol/server-memory'),
    realUvx(),
  ])
  const createTokenWorker = builtThread('tokens')
  const before = { ...process.env }
  let harness: Harness | undefined
  beforeAll(() => {
    delete process.env.npm_config_cache
    process.env.NPM_CONFIG_CACHE = join(caches, 'npm-cache')
    process.env.UV_CACHE_DIR = join(caches, 'uv-cache')
    if (uvx.kind === 'there') process.env.PATH = [uvx.folder, process.env.PATH].join(delimiter)
    harness = new Harness(undefined, { createTokenWorker })
  })
  afterAll(async () => {
    await harness?.close()
    process.env = before
  })
  return {
    isThere: ({ registryType }) => (registryType === 'npm' ? npx : uvx).kind === 'there',
    harness: () => {
      if (!harness) throw new Error('The harness is not open.')
      return harness
    },
  }
}

/** Sets up a published server, stopped, with made-up values and its folder in `folder`. Returns its installation. */
export async function installPublished(
  harness: Harness,
  server: FieldServer,
  folder: string,
): Promise<string> {
  const { registryType, identifier, version, args = [], runtimeArgs, ...named } = server
  const { variables = {} } = named
  const secrets = (named.secrets ?? []).map((secret) => {
    const [name = '', value = 'a-made-up-value'] = secret.split('=')
    return { name, value }
  })
  const positional = (value: string): object => ({
    ...{ type: 'positional', value: value.replace('FOLDER', folder) },
  })
  const entry = await harness.paste({
    name: `published/${identifier.replaceAll(/\W+/gu, '-').replace(/^-/u, '')}`,
    title: identifier,
    description: 'A published server.',
    version,
    packages: [
      {
        ...{ registryType, identifier, version, transport: { type: 'stdio' } },
        ...(runtimeArgs && { runtimeArguments: runtimeArgs.map(positional) }),
        packageArguments: args.map(positional),
        environmentVariables: [
          ...secrets.map(({ name }) => ({ name, isRequired: true, isSecret: true })),
          ...Object.entries(variables).map(([name, value]) => ({ name, value })),
        ],
      },
    ],
  })
  const values = Object.fromEntries(secrets.map(({ name, value }) => [`env_${name}`, value]))
  return harness.setUp(entry, { start: false, values })
}
