import { parseServerJson } from '../../src-shared/domain/server-json/parse-server-json'
import type { ServerJson } from '../../src-shared/domain/server-json/server-json'
import { toFormFields } from '../../src-shared/form/to-form-fields'
import { publishedEntries } from './entries'

/** As many as the largest published package has. */
const GENERATED_FIELDS = 70

/** A server.json as text, with the place of its package that has the most fields. */
export type LargestEntry = {
  readonly text: string
  readonly packageIndex: number
  readonly fields: number
}

/** The entry with the largest form: of the registry's where they are at hand, else one of the same size and mixture. */
export function largestEntry(): LargestEntry {
  const entries = publishedEntries() ?? [generatedServer()]
  const all = entries.flatMap((raw) => formsOf(raw))
  return all.reduce((largest, one) => (one.fields > largest.fields ? one : largest))
}

function formsOf(raw: unknown): LargestEntry[] {
  return parseServerJson(raw).server.packages.map((pkg, packageIndex) => ({
    text: JSON.stringify(raw),
    packageIndex,
    fields: toFormFields(pkg).length,
  }))
}

function generatedServer(): Omit<ServerJson, 'remotes'> {
  const environmentVariables = Array.from({ length: GENERATED_FIELDS }, (_, index) => ({
    name: `SETTING_${index}`,
    description: `What the setting number ${index} decides, in a sentence of the usual length.`,
    isRequired: index % 12 === 0,
    isSecret: index % 5 === 0,
    ...(index % 4 === 1 && { choices: ['one', 'two', 'three', 'four'] }),
    ...(index % 7 === 2 && { format: 'number' as const, default: String(index) }),
    ...(index % 7 === 3 && { format: 'boolean' as const, default: 'true' }),
  }))
  const pkg = {
    registryType: 'npm',
    identifier: 'bench-of-settings',
    version: '1.0.0',
    transport: { type: 'stdio' as const },
    runtimeArguments: [],
    packageArguments: [],
    environmentVariables,
  }
  return { name: 'bench/settings', description: 'Settings.', version: '1.0.0', packages: [pkg] }
}
