import { KeyRound } from 'lucide-react'
import type { JSX } from 'react'

import type { HostServer } from '../../../../src-shared/domain/agents/host'
import { useRequest } from '../../../ipc/use-request'
import { useApp, useServers } from '../../../stores/app-store'
import { ButtonLink } from '../../../ui/controls/button'
import { Skeleton } from '../../../ui/layout/page'
import { counted, formatList } from '../../../ui/text/format'
import { visibleText } from '../../../ui/text/untrusted-text'
import { SetupStep } from './setup-step'

/** Returns the importable servers by name; those that run the same in several apps are grouped. */
export function foundServers(servers: readonly HostServer[]): HostServer[][] {
  const usable = servers.filter(
    ({ server, isOn, alreadyInstalledAs }) =>
      server.preview !== null && isOn && alreadyInstalledAs === undefined,
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

/** Returns the name of a server's runtime, or its command if the runtime is unknown. */
export function runtimeOf({ server: { preview } }: HostServer): string {
  if (preview === null) return ''
  if (preview.kind === 'remote') return 'Remote'
  const program = preview.command.replace(/^.*[\\/]/u, '').replace(/\.(?:exe|cmd)$/iu, '')
  return RUNTIMES[program.toLowerCase()] ?? program
}

function importedName({ server }: HostServer): string {
  return server.takenName ?? server.name
}

/**
 * Returns the label of the button that imports all: "Import 7 servers from Claude Desktop and Cursor". Servers of one name that run
 * differently count once, because one of them is imported.
 */
export function importLabel(servers: readonly (readonly HostServer[])[]): string {
  const names = new Set(servers.flat().map((one) => importedName(one).toLowerCase()))
  const apps = [...new Set(servers.flat().map(({ hostName }) => hostName))]
  const from = apps.length > 3 ? counted(apps.length, 'app') : formatList(apps)
  return `Import ${counted(names.size, 'server')} from ${from}`
}

/** Starter servers without required values; all run with Node.js. */
const STARTERS = [
  {
    name: 'io.github.modelcontextprotocol/memory',
    title: 'Memory',
    text: 'Lets agents remember facts between conversations.',
  },
  {
    name: 'io.github.modelcontextprotocol/sequential-thinking',
    title: 'Sequential thinking',
    text: 'Lets agents plan a task in steps and revise them.',
  },
  {
    name: 'io.github.upstash/context7',
    title: 'Context7',
    text: 'Looks up current documentation of programming libraries.',
  },
] as const

const MAX_ROWS = 8

function FoundTable({ servers }: { readonly servers: readonly HostServer[][] }): JSX.Element {
  const hiddenCount = servers.length - MAX_ROWS
  return (
    <>
      <table className="grid-table" aria-label="Servers found in your apps">
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col" className="hide-narrow">
              Runs with
            </th>
            <th scope="col">Found in</th>
            <th scope="col" className="hide-small">
              Secrets
            </th>
            <th scope="col">
              <span className="sr-only">Where secrets go</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {servers.slice(0, MAX_ROWS).map((entries) => {
            const [first] = entries
            if (!first) return null
            const { secrets, toFill } = first.server
            const kept = secrets.filter(({ isKept }) => isKept)
            const names = [...kept.map(({ label }) => label), ...toFill]
            return (
              <tr key={first.sameAs}>
                <th scope="row" className="max-w-64">
                  <span className="block truncate font-medium text-foreground">
                    {importedName(first)}
                  </span>
                </th>
                <td className="hide-narrow text-muted">{runtimeOf(first)}</td>
                <td className="text-muted">
                  {[...new Set(entries.map((one) => one.hostName))].join(', ')}
                </td>
                <td className="hide-small max-w-64">
                  <code className="block truncate">{visibleText(names.join(', '))}</code>
                </td>
                <td className="text-right text-small whitespace-nowrap">
                  {toFill.length > 0 && (
                    <span className="is-degraded text-status">value missing</span>
                  )}
                  {toFill.length === 0 && kept.length > 0 && (
                    <span className="text-muted">
                      <KeyRound className="icon icon-s" aria-hidden /> to keychain
                    </span>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {hiddenCount > 0 && (
        <p className="px-3 py-2 text-muted">{`and ${counted(hiddenCount, 'more server')}`}</p>
      )}
    </>
  )
}

function AddOptions(): JSX.Element {
  const hosts = useApp(({ app }) => app?.hosts)
  const { value, problem } = useRequest('hosts.servers', { choices: [] }, { state: [hosts] })
  if (value === undefined && problem === undefined)
    return <Skeleton label="Reading your apps" rows={4} />
  const found = foundServers(value?.servers ?? [])
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      {found.length > 0 ? (
        <FoundTable servers={found} />
      ) : (
        <ul className="divide-y divide-line" aria-label="Starter servers">
          {STARTERS.map(({ name, title, text }, index) => (
            <li key={name} className="flex items-center gap-3 px-3 py-2">
              <div className="min-w-0 flex-1">
                <p className="font-medium text-foreground">{title}</p>
                <p className="text-pretty text-muted">{text}</p>
              </div>
              <span className="hide-narrow text-small whitespace-nowrap text-faint">Node.js</span>
              <ButtonLink
                size="small"
                href={`/setup/${encodeURIComponent(`starter:${name}`)}/package-0`}
                variant={index === 0 ? 'primary' : 'default'}
                aria-label={`Add ${title}`}
              >
                Add
              </ButtonLink>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-2 border-t border-line bg-subtle px-3 py-2">
        {found.length > 0 && (
          <ButtonLink variant="primary" href="/import?setup">
            {importLabel(found)}
          </ButtonLink>
        )}
        <span className="min-w-0 flex-1" />
        <ButtonLink variant="quiet" href="/catalog">
          Pick from the catalog
        </ButtonLink>
        <ButtonLink variant="quiet" href="/custom-server">
          Add a command
        </ButtonLink>
      </div>
    </div>
  )
}

/** The first step: servers from this computer's apps, or a starter server. */
export function AddStep(): JSX.Element {
  const count = useServers().length
  if (count === 0)
    return (
      <SetupStep
        number={1}
        title="Add servers"
        state="current"
        text="You review every command before it runs. Importing doesn’t change your apps."
      >
        <AddOptions />
      </SetupStep>
    )
  return (
    <SetupStep
      number={1}
      title="Add servers"
      state="done"
      text={`${counted(count, 'server')} added.`}
      link={
        <ButtonLink size="small" variant="quiet" href="/catalog">
          Add more
        </ButtonLink>
      }
    />
  )
}
