import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const FILE =
  process.env.PATCHBAY_REGISTRY_ENTRIES ?? resolve('../shared/data/registry-entries.json')
const GENERATED = 1_800

/** Entries as the API serves them: the real ones where they are at hand, generated ones of the same shape elsewhere. */
export function readEntries(): readonly unknown[] {
  return (
    publishedEntries() ?? Array.from({ length: GENERATED }, (_, index) => generatedEntry(index))
  )
}

/** The real entries; undefined where they are not at hand. */
export function publishedEntries(): readonly unknown[] | undefined {
  if (!existsSync(FILE)) return undefined
  const { servers } = JSON.parse(readFileSync(FILE, 'utf8')) as { servers: unknown[] }
  return servers
}

/** Of three real entries two have a package and one a remote; most ask for little, a few for a lot. */
function generatedEntry(index: number): unknown {
  const server = {
    name: `com.example.bench/server-${String(index)}`,
    description: 'An entry of the shape that real ones have.',
    version: '1.2.3',
  }
  const offer = index % 3 === 0 ? { remotes: [remote()] } : { packages: [generatedPackage(index)] }
  return { server: { ...server, ...offer } }
}

function remote(): unknown {
  return {
    type: 'streamable-http',
    url: 'https://server.example/mcp',
    headers: [
      { name: 'Authorization', value: 'Bearer {api_key}', isRequired: true, isSecret: true },
    ],
  }
}

function generatedPackage(index: number): unknown {
  const kinds = ['npm', 'npm', 'npm', 'pypi', 'pypi', 'oci']
  const argumentCount = index % 10 === 0 ? index % 30 : 0
  return {
    registryType: kinds[index % kinds.length],
    identifier: `server-${String(index)}`,
    version: '1.2.3',
    transport: { type: 'stdio' },
    packageArguments: Array.from({ length: argumentCount }, (_, at) => ({
      type: at % 4 === 0 ? 'positional' : 'named',
      name: `--option-${String(at)}`,
      valueHint: 'value',
      description: 'What the option does.',
      format: ['string', 'number', 'boolean', 'filepath'][at % 4],
    })),
    environmentVariables: Array.from({ length: index % 5 }, (_, at) => ({
      name: `VARIABLE_${String(at)}`,
      description: 'What the variable says.',
      isSecret: at === 0,
      isRequired: at < 2,
      default: at > 2 ? 'x' : undefined,
    })),
  }
}
