import './overview.css'

import type { JSX, ReactNode } from 'react'

import type { StoredSecretView } from '../../../../src-shared/domain/installation/stored-secret'
import { isWorking } from '../../../../src-shared/domain/running/run-status'
import { HAND_ENTRY, OWN_COMMAND } from '../../../../src-shared/domain/server-json/own-command'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { useApp } from '../../../stores/app-store'
import { counted, formatTime } from '../../../ui/text/format'
import { PlainText } from '../../../ui/text/plain-text'
import { shortName } from '../../../ui/text/visible-text'
import { EarlierVersions } from './earlier-versions'
import { faultWords } from './fault-messages'
import { Instances } from './instances'
import { LastDay } from './last-day'
import { ProtocolWarnings } from './protocol-warnings'
import { RecentEvents } from './recent-events'
import { RootsLine } from './roots-line'
import { SharingChoice } from './sharing-choice'
import { StartPolicyChoice } from './start-policy-choice'
import { ToolChangesChoice } from './tool-changes-choice'

function offered({ counts }: ServerView): string {
  return [
    counted(counts.tools, 'tool'),
    counted(counts.resources, 'resource'),
    counted(counts.resourceTemplates, 'resource template', 'resource templates'),
    counted(counts.prompts, 'prompt'),
  ].join(', ')
}

/** Known of a server that does not run where it was listed before. */
function hasCounts({ counts }: ServerView): boolean {
  return Object.values(counts).some((count) => count > 0)
}

/** Where its secrets are: its own ones, and the stored ones that it uses by their names. */
function secretWords(
  { installationId, hasSecrets }: ServerView,
  stored: readonly StoredSecretView[],
): string {
  const names = stored
    .filter(({ uses }) => uses.some((use) => use.installationId === installationId))
    .map(({ name }) => name)
  const own = hasSecrets ? ['saved with this server'] : []
  return [...own, ...names.map((name) => `shared secret ${name}`)].join('; ') || 'none'
}

function samplingWords(count: number): string {
  return `Sampling, ${counted(count, 'time')}. Patchbay doesn’t support sampling.`
}

/** What a person wrote comes from no registry. */
function originFacts(server: ServerView): readonly (readonly [string, ReactNode])[] {
  const { identifier, packageVersion, registryType, entryName, entryVersion } = server
  const what = <code key="id">{identifier}</code>
  if (entryName === HAND_ENTRY)
    return [
      [registryType === OWN_COMMAND ? 'Command' : 'Address', what],
      ['Source', 'added manually'],
    ]
  const transport = TRANSPORTS.get(registryType)
  const name = ['Registry name', <code key="name">{`${entryName} ${entryVersion}`}</code>] as const
  if (transport !== undefined) return [['Address', what], ['Transport', transport], name]
  const version =
    packageVersion ?? (registryType === OWN_COMMAND ? entryVersion : 'latest at every start')
  return [
    ['Package', what],
    ['Version', version],
    ['Source', registryType === OWN_COMMAND ? 'bundle' : registryType],
    name,
  ]
}

/** A remote is reached where it runs, so that it has no version of ours. */
const TRANSPORTS: ReadonlyMap<string, string> = new Map([
  ['streamable-http', 'Streamable HTTP'],
  ['sse', 'HTTP with SSE'],
])

function factsOf(
  server: ServerView,
  stored: readonly StoredSecretView[],
): readonly (readonly [string, ReactNode])[] {
  const { status, pid, protocolVersion, serverVersion, faults, asked } = server
  const against = faultWords(faults)
  const works = isWorking(status)
  return [
    [
      'Offers',
      works || hasCounts(server) ? offered(server) : 'Appears after the server first starts.',
    ],
    ...originFacts(server),
    ['Secrets', secretWords(server, stored)],
    ...(server.signedIn === true ? [['Sign-in', signedInWords(server)] as const] : []),
    ...(serverVersion === undefined
      ? []
      : [['Reported version', shortName(serverVersion)] as const]),
    ...(protocolVersion === undefined ? [] : [['Protocol', protocolVersion] as const]),
    ...(pid === undefined ? [] : [['Process', <span key="pid">{pid}</span>] as const]),
    ...(asked.sampling === 0 ? [] : [['Unsupported', samplingWords(asked.sampling)] as const]),
    ...(against === '' ? [] : [['Protocol errors', `${against}.`] as const]),
  ]
}

/** What a server is and where it comes from. */
export function Overview({ server }: { readonly server: ServerView }): JSX.Element {
  const stored = useApp((state) => state.app?.secrets.stored)
  return (
    <div
      className="tab-body fill scroll overview-page"
      tabIndex={0}
      role="region"
      aria-label="Overview"
    >
      <div className="overview tab-inner stack gap-5 at-top">
        <div className="stack gap-5 slim">
          {server.description !== '' && <PlainText className="lead" text={server.description} />}
          <StartPolicyChoice server={server} />
          <ToolChangesChoice server={server} />
          <SharingChoice server={server} />
          <RootsLine server={server} />
          <dl className="facts stack">
            {factsOf(server, stored ?? []).map(([term, fact]) => (
              <div key={term} className="fact">
                <dt>{term}</dt>
                <dd>{fact}</dd>
              </div>
            ))}
          </dl>
        </div>
        <div className="stack gap-5 slim">
          <Instances server={server} />
          <EarlierVersions server={server} />
          <LastDay server={server} />
          <RecentEvents server={server} />
          <ProtocolWarnings server={server} />
        </div>
      </div>
    </div>
  )
}

function signedInWords({ signInEndsAt: at }: ServerView): string {
  return at === undefined
    ? 'Signed in'
    : `Signed in until ${formatTime(at)}. The provider gave no lasting sign-in.`
}
