import type { Harness } from '../fixtures/harness'
import type { FieldServer } from './field-servers'

/** Sets a published server up, stopped, with made-up values; its folder is in `folder`. Returns its installation. */
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
