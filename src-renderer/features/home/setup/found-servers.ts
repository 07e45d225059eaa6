import type { HostServer } from '../../../../src-shared/domain/agents/host'
import { counted, formatList } from '../../../ui/text/format'

/** Servers that can be imported, those that run the same in several apps as one; by name. */
export function foundServers(servers: readonly HostServer[]): HostServer[][] {
  const usable = servers.filter(
    ({ server, isOn, isHereAs }) => server.preview !== null && isOn && isHereAs === undefined,
  )
  const groups = [...Map.groupBy(usable, ({ sameAs }) => sameAs).values()]
  const nameOf = ([first]: readonly HostServer[]): string => first?.server.name ?? ''
  return groups.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)))
}

const RUNTIMES: Readonly<Record<string, string>> = {
  ...{ npx: 'Node.js', node: 'Node.js', bunx: 'Bun', bun: 'Bun', deno: 'Deno' },
  ...{ uvx: 'uv', uv: 'uv', python: 'Python', python3: 'Python', pipx: 'Python' },
  ...{ docker: 'Docker', podman: 'Podman', dnx: '.NET', dotnet: '.NET' },
}

/** What runs a server, as users know it; its command where that is nothing known. */
export function runtimeOf({ server: { preview } }: HostServer): string {
  if (preview === null) return ''
  if (preview.kind === 'remote') return 'Remote'
  const program = preview.command.replace(/^.*[\\/]/u, '').replace(/\.(?:exe|cmd)$/iu, '')
  return RUNTIMES[program.toLowerCase()] ?? program
}

/** The label of the button that imports all: "Import 7 servers from Claude Desktop and Cursor". */
export function importLabel(servers: readonly (readonly HostServer[])[]): string {
  const apps = [...new Set(servers.flat().map(({ hostName }) => hostName))]
  const from = apps.length > 3 ? counted(apps.length, 'app') : formatList(apps)
  return `Import ${counted(servers.length, 'server')} from ${from}`
}

const starter = (name: string): string => encodeURIComponent(`starter:${name}`)

/** Servers of the starter catalog that need no value. */
export const STARTERS = [
  {
    name: 'memory',
    title: 'Memory',
    text: 'Lets agents remember facts between conversations.',
    runtime: 'Node.js',
    href: `/setup/${starter('io.github.modelcontextprotocol/memory')}/package-0`,
  },
  {
    name: 'sequential-thinking',
    title: 'Sequential thinking',
    text: 'Lets agents plan a task in steps and revise them.',
    runtime: 'Node.js',
    href: `/setup/${starter('io.github.modelcontextprotocol/sequential-thinking')}/package-0`,
  },
  {
    name: 'context7',
    title: 'Context7',
    text: 'Looks up current documentation of programming libraries.',
    runtime: 'Node.js',
    href: `/setup/${starter('io.github.upstash/context7')}/package-0`,
  },
] as const
